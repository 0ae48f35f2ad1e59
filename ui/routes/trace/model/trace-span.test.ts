import { describe, expect, it } from 'vitest';
import { span } from './span.fixture.ts';
import { addSpans, parseInstantMs, type SpanRecord, toTraceSpan } from './trace-span.ts';

describe('parseInstantMs', () => {
  it('keeps microseconds', () => {
    const second = Date.UTC(2026, 10, 21, 8, 12, 18);
    expect(parseInstantMs('2026-11-21T08:12:18.123456+00:00') - second).toBeCloseTo(123.456, 3);
    expect(parseInstantMs('2026-11-21T08:12:18.000001Z') - second).toBeCloseTo(0.001, 3);
  });

  it('honours the offset', () => {
    expect(parseInstantMs('2026-11-21T08:12:18.5+02:00')).toBe(Date.UTC(2026, 10, 21, 6, 12, 18, 500));
  });

  it('reads an instant without a fraction', () => {
    expect(parseInstantMs('2026-11-21T08:12:18+00:00')).toBe(Date.UTC(2026, 10, 21, 8, 12, 18));
  });
});

describe('toTraceSpan', () => {
  const record: SpanRecord = {
    id: 'U3Bhbjox',
    spanId: 'aa',
    parentId: undefined,
    name: 'ask',
    spanKind: 'llm',
    statusCode: 'UNSET',
    startTime: '1970-01-01T00:00:01+00:00',
    endTime: null,
    tokenCountTotal: undefined,
    countsInSums: true,
    costUsd: 0.0123,
    modelName: undefined,
  };

  it('says null for what the API leaves out', () => {
    expect(toTraceSpan(record)).toEqual({
      id: 'U3Bhbjox',
      spanId: 'aa',
      parentId: null,
      name: 'ask',
      kind: 'llm',
      status: 'UNSET',
      startMs: 1000,
      endMs: null,
      tokenCount: null,
      countsInSums: true,
      costNanoUsd: 12_300_000,
      modelName: null,
    });
  });

  it('has no cost where it counts elsewhere, or is not known', () => {
    expect(toTraceSpan({ ...record, countsInSums: false, tokenCountTotal: 5 }).costNanoUsd).toBe(0);
    expect(toTraceSpan({ ...record, costUsd: null }).costNanoUsd).toBe(0);
  });

  it('reads the end of a span that has one', () => {
    expect(toTraceSpan({ ...record, endTime: '1970-01-01T00:00:02.5+00:00' }).endMs).toBe(2500);
  });
});

describe('addSpans', () => {
  it('counts what is new or differs, and replaces what is known', () => {
    const known = new Map([['a', span('a', { endMs: null })]]);
    expect(addSpans(known, [span('a'), span('b')])).toBe(2);
    expect(known.get('a')?.endMs).toBe(10);
    expect(addSpans(known, [span('a'), span('b')])).toBe(0);
  });
});
