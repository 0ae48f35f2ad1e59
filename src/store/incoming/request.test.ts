import { expect, it } from 'vitest';
import { normalizeRequest } from '#normalize/normalize-request';
import { otlpResourceSpans, otlpSpan } from '../../../test/support/otlp-span.ts';
import { decodeBlock } from '../blocks/codec.ts';
import { toIncoming } from './request.ts';

it('packs the spans of each trace together, each at its place', () => {
  const spans = [1, 2, 1, 1].map((trace, place) =>
    otlpSpan({ traceId: new Uint8Array(16).fill(trace), bytes: Uint8Array.of(trace, place) }),
  );
  const context = { receivedUnixNano: 0n, projectOverride: 'mine', defaultProject: 'default' };
  const incoming = toIncoming(normalizeRequest({ resourceSpans: [otlpResourceSpans(spans)] }, context));
  expect(incoming.spans).toHaveLength(4);
  expect(new Set(incoming.spans.map(({ block }) => block)).size).toBe(2);
  for (const { block, ordinal, bytes, projectName } of incoming.spans) {
    const held = decodeBlock(block);
    expect(held).toHaveLength(block.spanCount);
    expect([...(held[ordinal] ?? [])]).toEqual([...bytes]);
    expect(projectName).toBe('mine');
  }
});
