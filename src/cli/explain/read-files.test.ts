import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { spanId, traceId, traceRequest } from '../../../test/harness/otlp-json.ts';
import { formatReading } from './format-reading.ts';
import { readFiles } from './read-files.ts';

const FIXTURES = 'test/fixtures/otlp';
const folder = mkdtempSync(join(tmpdir(), 'cairn-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

const REQUEST = traceRequest([
  {
    traceId: traceId(1),
    spanId: spanId(1),
    name: 'chat gpt-4o',
    attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o', 'acme.step': 'one' },
  },
]);

describe('files of export requests', () => {
  it('are printed with who speaks and where each attribute went', () => {
    const text = print(write('request.json', JSON.stringify(REQUEST)));
    expect(text).toContain(`Span ${spanId(1)} "chat gpt-4o" of trace ${traceId(1)} is read as LLM.`);
    expect(text).toMatch(/: attribute gen_ai\./);
    expect(text).toMatch(/gen_ai\.request\.model +→ .*llm\.request\.model_name/);
    expect(text).toMatch(/Not recognised, shown as sent\n +acme\.step\n/);
  });

  it('may be protobuf, and compressed', () => {
    const { spans } = readFiles([`${FIXTURES}/otel-genai-openai/01-chat.binpb`]);
    expect(spans.map(({ kind }) => kind)).toContain('LLM');
    expect(print(write('request.json.gz', gzipSync(JSON.stringify(REQUEST))))).toContain('is read as LLM');
    expect(print(write('line-feed.json', `\n${JSON.stringify(REQUEST)}\n`))).toContain('is read as LLM');
  });

  it('are read with the log records of the spans, in any order', () => {
    const [traces, logs] = ['01-chat.binpb', '02-chat.logs.binpb'].map(
      (file) => `${FIXTURES}/openllmetry-events/${file}`,
    );
    for (const paths of [
      [traces, logs],
      [logs, traces],
    ]) {
      const { spans, remarks } = readFiles(paths as string[]);
      const labels = spans.flatMap(({ sources }) => sources).filter(({ label }) => label.startsWith('log record'));
      expect(labels.length).toBeGreaterThan(0);
      expect(labels.some(({ to }) => to.includes('llm.input_messages'))).toBe(true);
      expect(remarks).toEqual([]);
    }
    expect(readFiles([logs as string]).remarks.join(' ')).toMatch(
      /The input holds no spans.* whose spans are not in the input: \d+\./,
    );
  });

  it.each([
    [
      'something else',
      'a picture',
      /is not an export request: .*[^.]\. Give the body of an OTLP request \(protobuf or JSON\)\.$/,
    ],
    ['JSON without its end', '{"resourceSpans": [', /is not an export request: The body is not JSON: it is incomplete/],
    ['JSON of a wrong form', '{"resourceSpans": 7}', /is not an export request: .*resourceSpans/],
  ])('say what is wrong with %s', (_what, content, message) => {
    expect(() => readFiles([write('wrong', content)])).toThrow(message);
  });

  it('say which of several is not there', () => {
    const there = write('there.json', JSON.stringify(REQUEST));
    expect(() => readFiles([there, join(folder, 'nope.json')])).toThrow(/^There is no file .*nope\.json\.$/);
  });

  it('say which spans would be rejected', () => {
    const request = traceRequest([{ traceId: '00', spanId: spanId(1), name: 'x', attributes: {} }]);
    expect(readFiles([write('rejected.json', JSON.stringify(request))]).remarks).toEqual([
      expect.stringMatching(/^A span would be rejected\. A span's trace id has 1 bytes/),
    ]);
  });

  it('cannot write to the terminal what it obeys', () => {
    const attributes = { 'acme.\u001b[31m\u202e': 'x' };
    const request = traceRequest([{ traceId: traceId(1), spanId: spanId(1), name: 'a\nb\u0007', attributes }]);
    const text = print(write('control.json', JSON.stringify(request)));
    expect(text).toContain('"a b "');
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

function print(path: string): string {
  return readFiles([path]).spans.map(formatReading).join('\n');
}

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
