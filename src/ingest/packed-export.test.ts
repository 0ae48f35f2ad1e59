import { expect, it } from 'vitest';
import { toIncomingMetrics } from '#store/incoming/request';
import { logsRequest, spanId, traceBody, traceId } from '../../test/harness/otlp-json.ts';
import { packExport, unpackExport } from './packed-export.ts';
import { type PreparedExport, prepareExport } from './prepare-export.ts';

const OPTIONS = { maxBodyBytes: 10_000, defaultProject: 'default', isMasked: null };

it('gives the request that was packed, with what spans share shared again', () => {
  const spans = [1, 2, 3].map((number) => ({
    traceId: traceId(number % 2),
    spanId: spanId(number),
    attributes: { long: 'x'.repeat(300), 'input.value': 'short' },
  }));
  const body = traceBody([...spans, { spanId: 'no id' }]);
  const received = { signal: 'traces', body, format: 'json', contentEncoding: '', projectName: 'mine' } as const;
  const prepared = prepareExport(received, OPTIONS) as PreparedExport;
  const packed = packExport(prepared);
  const moved = structuredClone(packed, { transfer: [packed.head.buffer, packed.body.buffer] });
  const { request, hint } = unpackExport(moved);
  const copy = prepareExport(
    { ...received, body: traceBody([...spans, { spanId: 'no id' }]) },
    OPTIONS,
  ) as PreparedExport;
  expect(asArrays(request.spans)).toEqual(asArrays(copy.request.spans));
  expect(request.rejected).toEqual(copy.request.rejected);
  expect(hint).toBe('');
  expect(new Set(request.spans.map((span) => span.block)).size).toBe(2);
  expect(new Set(request.spans.map((span) => span.resource)).size).toBe(1);
});

it('gives the log records that were packed, too', () => {
  const records = [1, 2, 3].map((number) => ({
    traceId: traceId(number % 2),
    spanId: spanId(number),
    eventName: 'gen_ai.choice',
    body: { content: 'x'.repeat(300) },
  }));
  const body = () => new TextEncoder().encode(JSON.stringify(logsRequest(records)));
  const received = { signal: 'logs', format: 'json', contentEncoding: '', projectName: null } as const;
  const packed = packExport(prepareExport({ ...received, body: body() }, OPTIONS) as PreparedExport);
  const { request } = unpackExport(structuredClone(packed, { transfer: [packed.head.buffer, packed.body.buffer] }));
  const copy = prepareExport({ ...received, body: body() }, OPTIONS) as PreparedExport;
  expect(request.records).toHaveLength(3);
  expect(asArrays(request)).toEqual(asArrays(copy.request));
  expect(new Set(request.records.map((record) => record.block)).size).toBe(2);
});

it('copies a body that is a part of a buffer, which others may use', () => {
  const shared = new Uint8Array(100);
  const packed = packExport({ request: toIncomingMetrics(0), body: shared.subarray(10, 20), hint: 'look' });
  expect(packed.body.buffer).not.toBe(shared.buffer);
  expect(packed.body).toHaveLength(10);
  expect(unpackExport(packed).hint).toBe('look');
});

/** Bytes as arrays: a view of another buffer is another kind of object, not another value. */
function asArrays(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, part: unknown) => (ArrayBuffer.isView(part) ? [...(part as Uint8Array)] : part)),
  );
}
