import { describe, expect, it } from 'vitest';
import { spanId, traceBody, traceId } from '../../test/harness/otlp-json.ts';
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
  return { body: traceBody(spans), format: 'json', contentEncoding: '', projectName: null };
}

function idsOf({ request }: PreparedExport): readonly string[] {
  return request.spans.map(({ digest }) => digest.spanId);
}

function isInside(bytes: Uint8Array, body: Uint8Array): boolean {
  const start = bytes.byteOffset - body.byteOffset;
  return bytes.buffer === body.buffer && start >= 0 && start + bytes.length <= body.length;
}
