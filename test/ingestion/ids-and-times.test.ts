/** Ids that identify nothing, and times that cannot be. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENCODINGS, exportTraces } from '../harness/otlp-client.ts';
import { otlpSpan, requestOf, spanId, traceId } from '../harness/otlp-json.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { findTrace, getOnlyOtlpSpan, getOnlySpan, getOriginalSpan, listSpans } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

let lastTrace = 0;

function newTraceId(): string {
  return traceId(++lastTrace);
}

describe.each(ENCODINGS)('in %s', (encoding) => {
  it.each([
    ['an empty trace id', { traceId: '' }, 'invalid_trace_id'],
    ['a trace id of zeros', { traceId: '0'.repeat(32) }, 'invalid_trace_id'],
    ['a trace id that is too short', { traceId: 'abcdef' }, 'invalid_trace_id'],
    ['a trace id that is too long', { traceId: 'ab'.repeat(17) }, 'invalid_trace_id'],
    ['an empty span id', { spanId: '' }, 'invalid_span_id'],
    ['a span id of zeros', { spanId: '0'.repeat(16) }, 'invalid_span_id'],
    ['a span id that is too short', { spanId: 'abcdef' }, 'invalid_span_id'],
    ['a span id as long as a trace id', { spanId: 'ab'.repeat(16) }, 'invalid_span_id'],
    ['a time beyond microseconds that are exact', { endTimeUnixNano: '9007199254740992000' }, 'time_out_of_range'],
    ['the largest time that there is', { startTimeUnixNano: '18446744073709551615' }, 'time_out_of_range'],
  ])('a span with %s is rejected, and its neighbours are stored', async (_name, fields, reason) => {
    const id = newTraceId();
    const spans = [1, 2, 3].map((number) => otlpSpan({ traceId: id, spanId: spanId(number) }));
    const answer = await exportTraces(
      server.url,
      requestOf([spans[0], { ...spans[1], ...fields }, spans[2]] as object[]),
      { encoding },
    );
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 1 });
    expect(answer.message).toMatch(new RegExp(`^1 of 3 spans were not stored \\(1 ${reason}\\)`));
    const stored = await listSpans(server.url, 'default', `trace_id=${id}&order=asc`);
    expect(stored.map((span) => span.context.span_id)).toEqual([spanId(1), spanId(3)]);
  });
});

describe('ids in JSON', () => {
  it('that are not hex are ids of the wrong length, and say so', async () => {
    const span = { ...otlpSpan({ spanId: spanId(1) }), traceId: 'qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq' };
    const answer = await exportTraces(server.url, requestOf([span]), { encoding: 'application/json' });
    expect(answer).toMatchObject({ rejectedSpans: 1, message: expect.stringContaining('32 hex digits') });
  });
});

describe('times', () => {
  const START = '1767225600123456789';
  const END = '1767225601987654321';

  /** Sends a span with these times, which must be stored; returns its trace id. */
  async function send(times: { startTimeUnixNano?: string; endTimeUnixNano?: string }): Promise<string> {
    const id = newTraceId();
    const { startTimeUnixNano: _start, endTimeUnixNano: _end, ...span } = otlpSpan({ traceId: id, spanId: spanId(1) });
    const answer = await exportTraces(server.url, requestOf([{ ...span, ...times }]));
    expect(answer).toMatchObject({ status: 200, rejectedSpans: 0 });
    return id;
  }

  it('keep their nanoseconds in the original, and are cut to microseconds in lists', async () => {
    const id = await send({ startTimeUnixNano: START, endTimeUnixNano: END });
    expect(await getOnlySpan(server.url, id)).toMatchObject({
      start_time: '2026-01-01T00:00:00.123456+00:00',
      end_time: '2026-01-01T00:00:01.987654+00:00',
    });
    expect(await getOriginalSpan(server.url, id)).toMatchObject({ startTimeUnixNano: START, endTimeUnixNano: END });
    const otlp = await fetch(`${server.url}/v1/projects/default/spans/otlpv1?trace_id=${id}`);
    expect(await otlp.text()).toContain(`"start_time_unix_nano":${START},"end_time_unix_nano":${END}`);
  });

  it('with an end before the start take no time, and keep both in the original', async () => {
    const id = await send({ startTimeUnixNano: END, endTimeUnixNano: START });
    const { start_time, end_time } = await getOnlySpan(server.url, id);
    expect([start_time, end_time]).toEqual(['2026-01-01T00:00:01.987654+00:00', '2026-01-01T00:00:01.987654+00:00']);
    expect(await findTrace(server.url, id)).toMatchObject({ start_time, end_time });
    expect(await listSpans(server.url, 'default', `trace_id=${id}&filter=latency_ms==0`)).toHaveLength(1);
    expect(await getOriginalSpan(server.url, id)).toMatchObject({ startTimeUnixNano: END, endTimeUnixNano: START });
  });

  it('of which one is missing are both the other one', async () => {
    for (const times of [{ startTimeUnixNano: START }, { endTimeUnixNano: START }]) {
      const id = await send(times);
      const { start_time, end_time } = await getOnlySpan(server.url, id);
      expect([start_time, end_time]).toEqual(['2026-01-01T00:00:00.123456+00:00', '2026-01-01T00:00:00.123456+00:00']);
      const running = await listSpans(server.url, 'default', `trace_id=${id}&filter=latency_ms%20is%20None`);
      expect(running).toHaveLength(times.endTimeUnixNano === undefined ? 1 : 0);
    }
  });

  it('that are both missing are the moment of arrival, the same in every list, and stay missing in the original', async () => {
    const before = Date.now();
    const id = await send({});
    const { start_time, end_time } = await getOnlySpan(server.url, id);
    expect(Date.parse(start_time)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(start_time)).toBeLessThanOrEqual(Date.now());
    expect(end_time).toBe(start_time);
    const original = await getOriginalSpan(server.url, id);
    expect([original.startTimeUnixNano, original.endTimeUnixNano]).toEqual([undefined, undefined]);
    expect((await getOnlyOtlpSpan(server.url, id)).start_time_unix_nano / 1e6).toBeCloseTo(Date.parse(start_time), -1);
  });

  it('are stored up to the last microsecond that is exact', async () => {
    const id = await send({ startTimeUnixNano: '1', endTimeUnixNano: '9007199254740991999' });
    expect(await getOnlySpan(server.url, id)).toMatchObject({
      start_time: '1970-01-01T00:00:00+00:00',
      end_time: '2255-06-05T23:47:34.740991+00:00',
    });
  });

  it('of events are as sent, whatever they are', async () => {
    const id = newTraceId();
    const events = ['0', START, '18446744073709551615'].map((timeUnixNano) => ({
      name: 'e',
      timeUnixNano,
      attributes: [],
    }));
    await exportTraces(server.url, requestOf([{ ...otlpSpan({ traceId: id, spanId: spanId(1) }), events }]));
    const stored = await getOnlySpan(server.url, id);
    expect(stored.events.map((event) => event.timestamp)).toEqual([
      '1970-01-01T00:00:00+00:00',
      '2026-01-01T00:00:00.123456+00:00',
      expect.stringMatching(/^2554-07-21T23:34:33/),
    ]);
  });
});
