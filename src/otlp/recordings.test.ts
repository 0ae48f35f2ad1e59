import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatOtlpJson } from './json/format.ts';
import { transcodeJsonRequest } from './json/transcode.ts';
import { encodeExportRequest } from './protobuf/encode-request.ts';
import { decodeExportTraceRequest } from './protobuf/request.ts';

const RECORDINGS = new URL('../../test/fixtures/otlp/', import.meta.url);
const DIALECTS = [
  'openinference-js-openai',
  'openinference-langchain',
  'openinference-openai',
  'otel-genai-openai',
  'otel-js-openai',
  'vercel-ai-6',
];

/** What the official protobuf classes decoded, as `wire.json` has it. */
interface WireFile {
  readonly file: string;
  readonly spans?: readonly object[];
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The spans of a request in the words of `wire.json`. */
function summarise(request: Uint8Array): readonly object[] {
  return decodeExportTraceRequest(request).resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => {
        if ('malformed' in span) return span;
        return {
          name: span.name,
          trace_id: hex(span.traceId),
          span_id: hex(span.spanId),
          parent_span_id: hex(span.parentSpanId),
          scope: scope.name,
          attributes: span.attributes.length,
          events: span.events.length,
          links: span.links.length,
          status: span.status.code,
        };
      }),
    ),
  );
}

describe.each(DIALECTS)('the recorded requests of %s', (dialect) => {
  const folder = new URL(`${dialect}/`, RECORDINGS);
  const wire = JSON.parse(readFileSync(new URL('wire.json', folder), 'utf8')) as { files: readonly WireFile[] };
  const names = readdirSync(folder).filter((name) => /^\d+-[a-z-]+\.(binpb|json)$/.test(name));

  it.each(names)('%s: decodes to the spans that the official classes see, and survives every recoding', (name) => {
    const body = new Uint8Array(readFileSync(new URL(name, folder)));
    const request = name.endsWith('.json') ? transcodeJsonRequest(body) : body;
    const summary = summarise(request);
    expect(summary.length).toBeGreaterThan(0);
    expect(summary).toEqual(wire.files.find(({ file }) => file === name)?.spans);

    const decoded = decodeExportTraceRequest(request);
    const encoded = encodeExportRequest(
      decoded.resourceSpans.map(({ resource, scopeSpans }) => ({
        envelope: resource.envelope,
        scopes: scopeSpans.map(({ scope, spans }) => ({
          envelope: scope.envelope,
          messages: spans.map((span) => span.bytes),
        })),
      })),
    );
    expect(decodeExportTraceRequest(encoded)).toEqual(decoded);

    const json = formatOtlpJson(request).toString();
    expect(summarise(transcodeJsonRequest(Buffer.from(json)))).toEqual(summary);
    expect(formatOtlpJson(transcodeJsonRequest(Buffer.from(json))).toString()).toBe(json);
  });
});
