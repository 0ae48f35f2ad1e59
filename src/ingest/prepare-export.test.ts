import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { logsRequest, otlpSpan, resourceSpansOf, spanId, traceBody, traceId } from '../../test/harness/otlp-json.ts';
import { openParts, type PreparedExport, prepareExport } from './prepare-export.ts';
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

  it('that is more than 8 MiB once it is decompressed is prepared elsewhere, also where it is one span', () => {
    const whole = received(1, 'x'.repeat(9 * 1024 * 1024));
    const sent: ReceivedExport = { ...whole, body: new Uint8Array(gzipSync(whole.body)), contentEncoding: 'gzip' };
    expect(prepareExport(sent, OPTIONS)).toBeNull();
    expect([...openParts(sent, OPTIONS).parts].map(({ request }) => request.spans.length)).toEqual([1]);
    const tooLarge = { ...OPTIONS, maxBodyBytes: 1024 * 1024 };
    expect(() => prepareExport(sent, tooLarge)).toThrow('larger than 1048576 bytes');
  });
});

describe('a request of log records', () => {
  it('of more than 600 is prepared in parts', () => {
    const records = Array.from({ length: 1500 }, (_, number) => ({ eventName: 'gen_ai.choice', timeUs: number }));
    const body = new TextEncoder().encode(JSON.stringify(logsRequest(records)));
    const request: ReceivedExport = { ...received(0), signal: 'logs', body };
    expect(prepareExport(request, OPTIONS)).toBeNull();
    const parts = [...openParts(request, OPTIONS).parts];
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
    const parts = [...openParts(received(4500), OPTIONS).parts];
    expect(parts.map(({ request }) => request.spans.length)).toEqual([2000, 2000, 500]);
    expect(parts.flatMap(idsOf)).toEqual(Array.from({ length: 4500 }, (_, number) => spanId(number + 1)));
    const [first, , last] = parts.map(({ body }) => body.length) as [number, number, number];
    expect(last).toBeLessThan(first / 3);
    expect(parts.every(({ request, body }) => request.spans.every((span) => isInside(span.bytes, body)))).toBe(true);
  });

  it('say how many bytes they take: the body, and twice what is on its way', () => {
    const { body } = received(4500);
    const { parts, heldBytes } = openParts({ ...received(0), body }, OPTIONS);
    const sizes = [...parts].map((part) => part.body.length);
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    expect(heldBytes).toBe(whole + 4 * Math.max(...sizes));
  });

  it('are none of a request whose end is broken', () => {
    const whole = [...openParts(received(3000), OPTIONS).parts].map(({ body }) => body);
    const body = new Uint8Array([...Buffer.concat(whole), 0x0a, 0xff]);
    const sent: ReceivedExport = { ...received(0), format: 'protobuf', body };
    expect(() => openParts(sent, OPTIONS)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
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

describe('a request with a key limited to projects', () => {
  const key = { rowId: 7, projects: [{ rowId: 3, name: 'shop' }, { rowId: 4, name: 'x'.repeat(50) }] }; // biome-ignore format: one line
  const ofProjects = (...names: (string | null)[]): ReceivedExport => {
    const resourceSpans = names.map((name, index) =>
      resourceSpansOf(
        [otlpSpan({ spanId: spanId(index + 1) })],
        name === null ? {} : { 'openinference.project.name': name },
      ),
    );
    const body = new TextEncoder().encode(JSON.stringify({ resourceSpans }));
    return { ...received(0), body, key };
  };
  const refused = expect.objectContaining({
    code: 'permission_denied',
    message: expect.stringContaining('limited to the projects "shop"'),
  });

  it('is prepared where all of it is for one of these, however that is said', () => {
    expect(prepareExport(ofProjects('shop', 'x'.repeat(50)), OPTIONS)?.request).toMatchObject({
      sender: { keyRowId: 7, projectRowIds: [3, 4] },
      spans: [{ projectName: 'shop' }, { projectName: 'x'.repeat(50) }],
    });
    expect(prepareExport({ ...ofProjects('other'), projectName: 'shop' }, OPTIONS)?.request.spans).toHaveLength(1);
    expect(prepareExport(ofProjects(null), { ...OPTIONS, defaultProject: 'shop' })?.request.spans).toHaveLength(1);
  });

  it('is refused whole where any of it is for another', () => {
    expect(() => prepareExport(ofProjects('shop', 'other'), OPTIONS)).toThrow(refused);
    expect(() => prepareExport(ofProjects('shop', null), OPTIONS)).toThrow(refused);
    expect(() => prepareExport({ ...ofProjects('shop'), projectName: 'other' }, OPTIONS)).toThrow(refused);
    expect(() => prepareExport({ ...ofProjects('shop'), key: { ...key, projects: [] } }, OPTIONS)).toThrow(
      expect.objectContaining({ code: 'permission_denied', message: expect.stringContaining('deleted') }),
    );
  });

  it('is refused before its first part, wherever the other project comes', () => {
    const last = ofProjects('shop', ...Array.from({ length: 2500 }, () => 'shop'), 'other');
    expect(prepareExport(last, OPTIONS)).toBeNull();
    expect(() => openParts(last, OPTIONS)).toThrow(refused);
    const whole = [...openParts(ofProjects(...Array.from({ length: 2500 }, () => 'shop')), OPTIONS).parts];
    expect(whole.map(({ request }) => request.sender?.keyRowId)).toEqual([7, 7]);
  });

  it('holds log records to the same', () => {
    const logs = (resource: Record<string, string>): ReceivedExport => {
      const request = logsRequest([{ eventName: 'gen_ai.choice' }], { resource });
      return { ...received(0), signal: 'logs', body: new TextEncoder().encode(JSON.stringify(request)), key };
    };
    const own = prepareExport(logs({ 'openinference.project.name': 'shop' }), OPTIONS);
    expect(own?.request).toMatchObject({ records: [{ projectName: 'shop' }], sender: { projectRowIds: [3, 4] } });
    expect(() => prepareExport(logs({}), OPTIONS)).toThrow(refused);
  });
});
