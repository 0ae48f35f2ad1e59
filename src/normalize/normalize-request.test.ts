import { describe, expect, it } from 'vitest';
import type { AnyValue, ResourceSpans } from '#otlp/messages';
import { otlpResource, otlpResourceSpans, otlpSpan } from '../../test/support/otlp-span.ts';
import { normalizeRequest } from './normalize-request.ts';
import type { NormalizeContext } from './normalized.ts';

describe('normalizeRequest', () => {
  it('gives each span with its bytes, resource and scope', () => {
    const original = otlpSpan({ name: 'answer' });
    const group = otlpResourceSpans([original]);
    const { spans, rejected } = normalize([group]);
    expect(rejected).toEqual([]);
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ span: { name: 'answer' }, projectName: 'default' });
    expect(spans[0]?.bytes).toBe(original.bytes);
    expect(spans[0]?.resource).toBe(group.resource);
    expect(spans[0]?.scope).toBe(group.scopeSpans[0]?.scope);
  });

  it('gives nothing for a request without spans', () => {
    expect(normalize([])).toEqual({ spans: [], rejected: [] });
    expect(normalize([otlpResourceSpans([])])).toEqual({ spans: [], rejected: [] });
  });

  it('rejects a span alone, between its neighbours, in the order sent', () => {
    const { spans, rejected } = normalize([
      otlpResourceSpans([
        otlpSpan({ name: 'first' }),
        otlpSpan({ traceId: new Uint8Array(0) }),
        { bytes: new Uint8Array(1), malformed: 'Not a valid span: name: a string is expected.' },
        otlpSpan({ name: 'last' }),
        otlpSpan({ spanId: new Uint8Array(0) }),
      ]),
    ]);
    expect(spans.map(({ span }) => span.name)).toEqual(['first', 'last']);
    expect(rejected.map(({ reason }) => reason)).toEqual(['invalid_trace_id', 'malformed', 'invalid_span_id']);
    expect(rejected[1]?.message).toBe('Not a valid span: name: a string is expected.');
  });

  it.each([
    ['missing', new Uint8Array(0), 'is missing'],
    ['all zeros', new Uint8Array(16), 'is all zeros'],
    ['too short', new Uint8Array(8).fill(1), 'has 8 bytes instead of 16'],
    [
      'text that was no hex',
      Buffer.from('my-trace-identification'),
      'is "my-trace-identification", not 32 hexadecimal digits',
    ],
  ])('rejects a trace id that is %s and says what to send', (_what, traceId, fault) => {
    const { spans, rejected } = normalize([otlpResourceSpans([otlpSpan({ traceId })])]);
    expect(spans).toEqual([]);
    expect(rejected).toEqual([
      { reason: 'invalid_trace_id', message: expect.stringContaining(`trace id ${fault}. Send 16 bytes`) },
    ]);
  });

  it.each([
    ['missing', new Uint8Array(0), 'is missing'],
    ['all zeros', new Uint8Array(8), 'is all zeros'],
    ['too long', new Uint8Array(16).fill(1), 'has 16 bytes instead of 8'],
  ])('rejects a span id that is %s and says what to send', (_what, spanId, fault) => {
    const { rejected } = normalize([otlpResourceSpans([otlpSpan({ spanId })])]);
    expect(rejected).toEqual([
      { reason: 'invalid_span_id', message: expect.stringContaining(`span id ${fault}. Send 8 bytes`) },
    ]);
  });

  it('rejects a time that microseconds cannot hold exactly, and takes the last that they can', () => {
    const limit = 2n ** 53n * 1000n;
    const { spans, rejected } = normalize([
      otlpResourceSpans([
        otlpSpan({ startTimeUnixNano: limit }),
        otlpSpan({ endTimeUnixNano: 2n ** 64n - 1n }),
        otlpSpan({ endTimeUnixNano: limit - 1n }),
      ]),
    ]);
    expect(rejected.map(({ reason }) => reason)).toEqual(['time_out_of_range', 'time_out_of_range']);
    expect(spans).toHaveLength(1);
  });

  it('gives a span without times the time it was received at, in whole microseconds', () => {
    const original = otlpSpan({ startTimeUnixNano: 0n, endTimeUnixNano: 0n });
    const { spans } = normalize([otlpResourceSpans([original])], { receivedUnixNano: 1_795_233_750_758_881_537n });
    expect(spans[0]?.span).toMatchObject({
      startTimeUnixNano: 1_795_233_750_758_881_000n,
      endTimeUnixNano: 1_795_233_750_758_881_000n,
    });
  });
});

describe('the project of a span', () => {
  it.each<[string, AnyValue | undefined, string]>([
    ['the resource names', 'shop', 'shop'],
    ['no resource names', undefined, 'default'],
    ['the resource leaves empty', '', 'default'],
    ['the resource leaves blank', '  ', 'default'],
    ['the resource names by a number', 42n, 'default'],
  ])('is the one that %s', (_what, value, expected) => {
    const resource = otlpResource(
      value === undefined ? { 'service.name': 'svc' } : { 'openinference.project.name': value },
    );
    expect(projects([otlpResourceSpans([otlpSpan()], resource)])).toEqual([expected]);
  });

  it('is the first name that is text, where the resource repeats the key', () => {
    const key = 'openinference.project.name';
    const resource = otlpResource([1n, '', 'one', 'two'].map((value) => ({ key, value })));
    expect(projects([otlpResourceSpans([otlpSpan()], resource)])).toEqual(['one']);
  });

  it('is chosen for each resource of a request', () => {
    const named = (name: string) =>
      otlpResourceSpans([otlpSpan()], otlpResource({ 'openinference.project.name': name }));
    expect(projects([named('one'), named('two'), otlpResourceSpans([otlpSpan()])])).toEqual(['one', 'two', 'default']);
  });

  it('is that of the header before that of the resource, unless the header is blank', () => {
    const group = otlpResourceSpans([otlpSpan()], otlpResource({ 'openinference.project.name': 'one' }));
    expect(projects([group], { projectOverride: 'two' })).toEqual(['two']);
    expect(projects([group], { projectOverride: ' ' })).toEqual(['one']);
  });

  it('has a name that can be stored', () => {
    const resource = otlpResource({ 'openinference.project.name': 'a\0b' });
    expect(projects([otlpResourceSpans([otlpSpan()], resource)])).toEqual(['a\ufffdb']);
  });
});

function normalize(resourceSpans: readonly ResourceSpans[], context: Partial<NormalizeContext> = {}) {
  return normalizeRequest(
    { resourceSpans },
    { receivedUnixNano: 5_000n, projectOverride: null, defaultProject: 'default', ...context },
  );
}

function projects(resourceSpans: readonly ResourceSpans[], context: Partial<NormalizeContext> = {}): string[] {
  return normalize(resourceSpans, context).spans.map(({ projectName }) => projectName);
}
