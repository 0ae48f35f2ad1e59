import { describe, expect, it } from 'vitest';
import { logsRequest, spanId, traceBody, traceId } from '../../test/harness/otlp-json.ts';
import { type PreparedExport, prepareExport, prepareParts } from './prepare-export.ts';
import type { ReceivedExport } from './receiver.ts';

const OPTIONS = { maxBodyBytes: 2 ** 26, defaultProject: 'default', isMasked: null };

describe('a request', () => {
  it('of 2,000 spans is prepared at once, a larger one is not', () => {
    expect(prepareExport(received(2000), OPTIONS)?.request.spans).toHaveLength(2000);
    expect(prepareExport(received(2001), OPTIONS)).toBeNull();
  });

  it('of more than 8 MiB is not prepared at once', () => {
    expect(prepareExport(received(9, 'x'.repeat(1024 * 1024)), OPTIONS)).toBeNull();
  });
});

describe('a request of log records', () => {
  it('of more than 600 is prepared in parts', () => {
    const records = Array.from({ length: 1500 }, (_, number) => ({ eventName: 'gen_ai.choice', timeUs: number }));
    const body = new TextEncoder().encode(JSON.stringify(logsRequest(records)));
    const request: ReceivedExport = { ...received(0), signal: 'logs', body };
    expect(prepareExport(request, OPTIONS)).toBeNull();
    const parts = [...prepareParts(request, OPTIONS)];
    expect(parts.map((part) => part.request.records.length)).toEqual([600, 600, 300]);
    expect(parts.every((part) => part.request.records.every((record) => isInside(record.bytes, part.body)))).toBe(true);
  });

  it('is masked before anything else is done with it', () => {
    const body = logsRequest([
      { eventName: 'gen_ai.choice', body: { secret: 'hunter2' }, attributes: { secret: 'x' } },
    ]);
    const sent = new TextEncoder().encode(JSON.stringify(body));
    const options = { ...OPTIONS, isMasked: (key: string) => key === 'secret' };
    const prepared = prepareExport({ ...received(0), signal: 'logs', body: sent }, options);
    const bytes = Buffer.from(prepared?.request.records[0]?.bytes ?? []);
    expect(bytes.includes('hunter2')).toBe(false);
    expect(bytes.toString('latin1').split('__REDACTED__')).toHaveLength(3);
  });
});

describe('parts', () => {
  it('have all spans in order, each once, and hold no more than their own bytes', () => {
    const parts = [...prepareParts(received(4500), OPTIONS)];
    expect(parts.map(({ request }) => request.spans.length)).toEqual([2000, 2000, 500]);
    expect(parts.flatMap(idsOf)).toEqual(Array.from({ length: 4500 }, (_, number) => spanId(number + 1)));
    const [first, , last] = parts.map(({ body }) => body.length) as [number, number, number];
    expect(last).toBeLessThan(first / 3);
    expect(parts.every(({ request, body }) => request.spans.every((span) => isInside(span.bytes, body)))).toBe(true);
  });

  it('are none of a request whose end is broken', () => {
    const whole = [...prepareParts(received(3000), OPTIONS)].map(({ body }) => body);
    const body = new Uint8Array([...Buffer.concat(whole), 0x0a, 0xff]);
    const parts = prepareParts({ ...received(0), format: 'protobuf', body }, OPTIONS);
    expect(() => parts.next()).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});

function received(spanCount: number, text = ''): ReceivedExport {
  const spans = Array.from({ length: spanCount }, (_, number) => ({
    traceId: traceId(1),
    spanId: spanId(number + 1),
    attributes: { text },
  }));
  return { signal: 'traces', body: traceBody(spans), format: 'json', contentEncoding: '', projectName: null };
}

function idsOf({ request }: PreparedExport): readonly string[] {
  return request.spans.map(({ digest }) => digest.spanId);
}

function isInside(bytes: Uint8Array, body: Uint8Array): boolean {
  const start = bytes.byteOffset - body.byteOffset;
  return bytes.buffer === body.buffer && start >= 0 && start + bytes.length <= body.length;
}
