/** What real instrumentations send must be explained whole: test/fixtures/otlp/README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import type { ExportTraceRequest, OtlpSpan } from '#otlp/messages';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { explainRequest } from './explain-request.ts';

const ROOT = join(import.meta.dirname, '../../../test/fixtures/otlp');

/** Outputs that sources give only together, neither of which matters alone. */
const JOINT: readonly string[] = ['vercel-ai-6 llm.invocation_parameters'];

const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(FOLDERS)('%s', (folder) => {
  it('is explained: every attribute is somewhere, and everything that was added comes from something', () => {
    for (const request of readRequests(folder)) {
      const { spans, rejected } = explainRequest(request);
      const originals = listSpans(request);
      expect([spans.length, rejected]).toEqual([originals.length, []]);
      for (const [place, { sources, outputs, dialects, isComplete }] of spans.entries()) {
        expect(isComplete).toBe(true);
        expect(dialects.length).toBeGreaterThan(0);
        const sent = originals[place]?.attributes.filter(({ value }) => value !== null) ?? [];
        const counted = sources.filter(({ label }) => !/^(event|scope|name of the span)\b/.test(label));
        expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(sent.length);
        const keys = new Set(outputs.map(({ key }) => key));
        expect(sources.flatMap(({ to }) => to).filter((key) => !keys.has(key))).toEqual([]);
        const sourceless = outputs.filter(({ key, from }) => from.length === 0 && !JOINT.includes(`${folder} ${key}`));
        expect(sourceless).toEqual([]);
      }
    }
  }, 30_000);
});

function readRequests(folder: string): ExportTraceRequest[] {
  return readdirSync(join(ROOT, folder))
    .filter((file) => /^\d\d-/.test(file) && !file.includes('.logs.'))
    .map((file) => {
      const body = readFileSync(join(ROOT, folder, file));
      return decodeExportTraceRequest(file.endsWith('.json') ? transcodeJsonRequest(body) : body);
    });
}

function listSpans({ resourceSpans }: ExportTraceRequest): OtlpSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.flatMap((span) => ('malformed' in span ? [] : [span]))),
  );
}
