import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseNarrowAttributes } from '#derive/narrow-attributes';
import {
  spanId,
  type TestLogRecord,
  type TestSource,
  type TestSpan,
  traceId,
} from '../../../../test/harness/otlp-json.ts';
import { runsOf } from '../../../../test/harness/test-engine.ts';
import { deleteSpan } from '../../deletion/delete-span.ts';
import type { IncomingRequest } from '../../incoming/request.ts';
import { type TestWriter, openTestWriter, recordsOf, spansOf } from './open-writer.fixture.ts';

let under: TestWriter;

beforeEach(async () => {
  under = await openTestWriter();
});

afterEach(() => under.close());

/** What an instrumentation says of an answer. */
const CHOICE: TestLogRecord = {
  eventName: 'gen_ai.choice',
  body: { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Paris.' } },
};
const CALL = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' };

const inSpan = { traceId: traceId(1), spanId: spanId(1) };

function store(...requests: readonly IncomingRequest[]) {
  return under.writer.write(requests);
}

/** The spans of records by the texts of their events, in the order of arrival. */
async function attachments(): Promise<readonly unknown[]> {
  return (
    await under.rows(
      `SELECT spans.span_id FROM log_records LEFT JOIN spans ON spans.id = span_row_id ORDER BY log_records.id`,
    )
  ).map((row) => row['span_id']);
}

/** What tables show of each span. */
async function outputs(): Promise<Readonly<Record<string, unknown>>[]> {
  return (await under.rows('SELECT span_id, kind, output_preview, attributes FROM spans ORDER BY span_id')).map(
    (row) => {
      const attributes = parseNarrowAttributes(String(row['attributes']));
      return { span: row['span_id'], output: row['output_preview'] ?? attributes['output.value'] ?? null };
    },
  );
}

describe('a record with the ids of a span', () => {
  const spans = () => spansOf([{ ...inSpan, attributes: CALL }]);
  const records = () => recordsOf([{ ...CHOICE, ...inSpan }]);

  it.each([
    ['after it', () => [[spans()], [records()]]],
    ['before it', () => [[records()], [spans()]]],
    ['in the same commit', () => [[records(), spans()]]],
  ])('tells its row what was said when it comes %s', async (_when, commits) => {
    for (const commit of commits()) await store(...commit);
    expect(await attachments()).toEqual([spanId(1)]);
    expect(await outputs()).toEqual([{ span: spanId(1), output: expect.stringContaining('Paris.') }]);
  });

  it('stays with the span when that is replaced, and tells the new row', async () => {
    await store(spans());
    await store(records());
    await store(spansOf([{ ...inSpan, name: 'finished', attributes: CALL }]));
    expect(await attachments()).toEqual([spanId(1)]);
    expect(await outputs()).toEqual([{ span: spanId(1), output: expect.stringContaining('Paris.') }]);
    expect(await under.rows('SELECT name FROM spans')).toEqual([{ name: 'finished' }]);
  });

  it('that comes again is a duplicate, alone, beside others and in one request', async () => {
    const [first] = await store(records());
    const [again] = await store(
      recordsOf([
        { ...CHOICE, ...inSpan },
        { ...CHOICE, ...inSpan, timeUs: 5 },
      ]),
    );
    const [twice] = await store(
      recordsOf([
        { ...CHOICE, timeUs: 9 },
        { ...CHOICE, timeUs: 9 },
      ]),
    );
    expect([first, again, twice].map((outcome) => [outcome?.stored, outcome?.duplicate])).toEqual([
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  it('of another resource or scope is another record', async () => {
    await store(records(), recordsOf([{ ...CHOICE, ...inSpan }], { scope: 'other' }));
    await store(recordsOf([{ ...CHOICE, ...inSpan }], { resource: { 'service.name': 'other' } }));
    expect(await under.rows('SELECT count(*) AS n FROM log_records')).toEqual([{ n: 3 }]);
  });

  it('moves the session of the trace, and the sums of sessions', async () => {
    await store(spansOf([{ ...inSpan, attributes: { ...CALL, 'gen_ai.usage.input_tokens': 3, 'session.id': 'one' } }]));
    await store(spansOf([{ ...inSpan, name: 'again', attributes: { ...CALL, 'gen_ai.usage.input_tokens': 4 } }]));
    await store(
      recordsOf([
        {
          ...inSpan,
          eventName: 'gen_ai.client.inference.operation.details',
          attributes: { 'gen_ai.conversation.id': 'two', 'gen_ai.usage.input_tokens': 9 },
        },
      ]),
    );
    expect(await under.rows('SELECT session_id, trace_count, prompt_tokens FROM sessions')).toEqual([
      { session_id: 'two', trace_count: 1, prompt_tokens: 4 },
    ]);
  });

  it('tells of what changed: the trace, and the project where nothing else is known', async () => {
    const [waiting] = await store(records());
    expect(waiting?.touched).toMatchObject([{ projectRowId: 1, traceIds: [] }]);
    const [joined] = await store(spans());
    expect(joined?.touched).toMatchObject([{ projectRowId: 1, traceIds: [traceId(1)] }]);
    const [more] = await store(recordsOf([{ ...CHOICE, ...inSpan, timeUs: 7 }]));
    expect(more?.touched).toMatchObject([{ projectRowId: 1, traceIds: [traceId(1)] }]);
  });

  it('belongs to the project of its trace, and else to its own', async () => {
    const resource = { 'openinference.project.name': 'mine' };
    await store(spansOf([{ ...inSpan, attributes: CALL }], { resource }));
    await store(records(), recordsOf([{ ...CHOICE, traceId: traceId(2), spanId: spanId(1) }], { resource }));
    await store(recordsOf([{ ...CHOICE, timeUs: 1 }]));
    const projects = await under.rows(
      'SELECT name FROM log_records JOIN projects ON projects.id = project_id ORDER BY log_records.id',
    );
    expect(projects.map(({ name }) => name)).toEqual(['mine', 'mine', 'default']);
  });
});

describe('a record without a span id', () => {
  const source = (service: string, scope = 'instrumentation'): TestSource => ({
    resource: { 'service.name': service },
    scope,
  });
  const during = (startUs: number, endUs: number) => ({ startUs, endUs });

  it('belongs to the only span of its service and scope that ran then', async () => {
    await store(
      spansOf([{ ...inSpan, ...during(10, 20), attributes: CALL }], source('a')),
      spansOf([{ spanId: spanId(2), ...during(10, 20) }], source('b')),
      spansOf([{ spanId: spanId(3), ...during(10, 20) }], source('a', 'other')),
      spansOf([{ spanId: spanId(4), ...during(30, 40) }], source('a')),
    );
    await store(recordsOf([{ ...CHOICE, timeUs: 15 }], source('a')));
    expect(await attachments()).toEqual([spanId(1)]);
    expect((await outputs())[0]).toMatchObject({ output: expect.stringContaining('Paris.') });
  });

  it('belongs to none while two can be meant, and loses a span when another one comes', async () => {
    await store(spansOf([{ ...inSpan, ...during(10, 20), attributes: CALL }], source('a')));
    await store(recordsOf([{ ...CHOICE, timeUs: 15 }], source('a')));
    expect(await attachments()).toEqual([spanId(1)]);
    await store(
      spansOf([{ traceId: traceId(2), spanId: spanId(2), ...during(12, 22), attributes: CALL }], source('a')),
    );
    expect(await attachments()).toEqual([null]);
    expect((await outputs()).map(({ output }) => output)).toEqual([null, null]);
  });

  it('belongs to the span of its trace where it names one, whatever runs elsewhere', async () => {
    await store(spansOf([{ ...inSpan, ...during(10, 20), attributes: CALL }], source('a')));
    await store(spansOf([{ traceId: traceId(2), spanId: spanId(2), ...during(10, 20) }], source('a')));
    await store(recordsOf([{ ...CHOICE, traceId: traceId(1), timeUs: 15 }], source('a')));
    expect(await attachments()).toEqual([spanId(1)]);
  });

  it('belongs to no span of another instance of the service', async () => {
    const instance = (id: string) => ({ resource: { 'service.name': 'a', 'service.instance.id': id }, scope: 'i' });
    await store(spansOf([{ ...inSpan, ...during(10, 20) }], instance('one')));
    await store(recordsOf([{ ...CHOICE, timeUs: 15 }], instance('two')));
    await store(recordsOf([{ ...CHOICE, timeUs: 16 }], source('a', 'i')));
    expect(await attachments()).toEqual([null, spanId(1)]);
  });

  it('belongs to no span of another project, and to none where neither names its service', async () => {
    const of = (project: string) => ({
      resource: { 'service.name': 'a', 'openinference.project.name': project },
      scope: 'i',
    });
    await store(spansOf([{ ...inSpan, ...during(10, 20), attributes: CALL }], of('one')));
    await store(recordsOf([{ ...CHOICE, timeUs: 15 }], of('two')), recordsOf([{ ...CHOICE, timeUs: 15 }], of('one')));
    await store(spansOf([{ traceId: traceId(2), spanId: spanId(2), ...during(10, 20) }], { scope: 'i' }));
    await store(recordsOf([{ ...CHOICE, timeUs: 16 }], { scope: 'i' }));
    expect(await attachments()).toEqual([null, spanId(1), null]);
  });

  it('is another record in another project, and the same one again in the same', async () => {
    const resource = { 'service.name': 'a' };
    const [one, two, again] = await store(
      recordsOf([CHOICE], { resource }),
      recordsOf([CHOICE], { resource }, 'other'),
      recordsOf([CHOICE], { resource }, 'other'),
    );
    expect([one, two, again].map((outcome) => [outcome?.stored, outcome?.duplicate])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
  });

  it('stays unattached in its trace where it is an ordinary line, and costs no search', async () => {
    await store(spansOf([{ ...inSpan, ...during(10, 20), attributes: CALL }], source('a')));
    await store(recordsOf([{ traceId: traceId(1), body: 'a line', timeUs: 15 }], source('a')));
    expect(await under.rows('SELECT source, span_row_id FROM log_records')).toEqual([
      { source: null, span_row_id: null },
    ]);
  });

  it('belongs to its span whatever number of other services runs beside it', async () => {
    const others = Array.from({ length: 300 }, (_, place) => ({ spanId: spanId(place + 100), ...during(10, 20) }));
    await store(spansOf(others, source('a', 'other')), spansOf(others.slice(0, 250), source('b')));
    await store(spansOf([{ ...inSpan, ...during(10, 20), attributes: CALL }], source('a')));
    await store(recordsOf([{ ...CHOICE, traceId: traceId(1), timeUs: 15 }], source('a')));
    await store(recordsOf([{ ...CHOICE, timeUs: 16 }], source('a')));
    expect(await attachments()).toEqual([spanId(1), spanId(1)]);
  });

  it('belongs to none where its trace is too large to be looked through', async () => {
    const many = Array.from({ length: 5001 }, (_, place) => ({ spanId: spanId(place + 100), ...during(30, 40) }));
    await store(spansOf(many, source('b')), spansOf([{ ...inSpan, ...during(10, 20) }], source('a')));
    await store(recordsOf([{ ...CHOICE, traceId: traceId(1), timeUs: 15 }], source('a')));
    expect(await attachments()).toEqual([null]);
  });

  it('belongs to the only span of its conversation where none is of its scope', async () => {
    const conversation = { 'session.id': 'c' };
    await store(spansOf([{ ...inSpan, ...during(10, 20), attributes: conversation }], source('a', 'tracing')));
    await store(spansOf([{ spanId: spanId(2), ...during(10, 20) }], source('a', 'tracing')));
    await store(recordsOf([{ ...CHOICE, timeUs: 15, attributes: conversation }], source('a', 'events')));
    expect(await attachments()).toEqual([spanId(1)]);
  });

  it('belongs to no span whose conversation only another record tells', async () => {
    await store(spansOf([{ ...inSpan, ...during(10, 20), attributes: CALL }], source('a', 'tracing')));
    await store(recordsOf([{ ...CHOICE, timeUs: 15, attributes: { 'session.id': 'c' } }], source('a', 'events')));
    const details = 'gen_ai.client.inference.operation.details';
    await store(recordsOf([{ ...inSpan, eventName: details, attributes: { 'gen_ai.conversation.id': 'c' } }]));
    expect(await under.rows('SELECT session_id FROM spans')).toEqual([{ session_id: 'c' }]);
    expect(await attachments()).toEqual([null, spanId(1)]);
  });
});

describe('a record that names a call', () => {
  const EVENTS = { scope: 'com.anthropic.claude_code.events' };
  const turn = (attributes = {}) =>
    spansOf([{ ...inSpan, attributes: { 'span.type': 'interaction', ...attributes } }], {
      scope: 'com.anthropic.claude_code.tracing',
    });
  const call = (id: number, requestId: string, trace = 1) => ({
    traceId: traceId(trace),
    spanId: spanId(id),
    parentSpanId: spanId(1),
    attributes: { 'span.type': 'llm_request', request_id: requestId },
  });
  const calls = (...spans: readonly TestSpan[]) => spansOf(spans, { scope: 'com.anthropic.claude_code.tracing' });
  const answers = (...requestIds: readonly string[]) =>
    recordsOf(
      requestIds.map((requestId, place) => ({
        ...inSpan,
        timeUs: 20 + place,
        eventName: 'claude_code.assistant_response',
        attributes: { response: `answer to ${requestId}`, request_id: requestId },
      })),
      EVENTS,
    );
  const told = async () => Object.fromEntries((await outputs()).map(({ span, output }) => [span, output]));

  it.each([
    ['after both', () => [turn(), calls(call(2, 'a'), call(3, 'b')), answers('a', 'b')]],
    ['before both', () => [answers('a', 'b'), calls(call(2, 'a'), call(3, 'b')), turn()]],
    ['before the call', () => [turn(), answers('a', 'b'), calls(call(3, 'b')), calls(call(2, 'a'))]],
    ['before the turn', () => [calls(call(2, 'a'), call(3, 'b')), answers('b', 'a'), turn()]],
  ])('tells of its span in the trace, and of the turn, when it comes %s', async (_when, requests) => {
    for (const request of requests()) await store(request);
    const shown = await told();
    expect([shown[spanId(2)], shown[spanId(3)]]).toEqual(['answer to a', 'answer to b']);
    expect(shown[spanId(1)]).toMatch(/^answer to [ab]$/);
    expect(new Set(await attachments())).toEqual(new Set([spanId(1)]));
  });

  it('tells nothing of calls of another trace, of no call, or of another request', async () => {
    await store(turn(), calls(call(2, 'a', 2), call(3, 'c')));
    await store(answers('a', 'b'));
    const shown = await told();
    expect([shown[spanId(2)], shown[spanId(3)]]).toEqual([null, null]);
  });

  it('tells of the call that names it now, where that changes', async () => {
    await store(turn(), calls(call(2, 'a'), call(3, 'b')), answers('a'));
    await store(calls({ ...call(2, 'b'), name: 'again' }, { ...call(3, 'a'), name: 'again' }));
    const shown = await told();
    expect([shown[spanId(2)], shown[spanId(3)]]).toEqual([null, 'answer to a']);
  });

  it('tells no more once its turn is deleted', async () => {
    await store(turn(), calls(call(2, 'a')), answers('a'));
    const [row] = await under.rows(`SELECT id FROM spans WHERE span_id = '${spanId(1)}'`);
    const deleted = await under.writer.change((scope) => deleteSpan(scope, Number(row?.['id'])));
    expect(deleted?.state).toBe('gone');
    expect(await told()).toEqual({ [spanId(2)]: null });
  });
});

describe('the order of arrival', () => {
  it('means nothing', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(telemetry(), async ({ parts, order }) => {
        const straight = await settled(parts);
        expect(await settled(order.map((place) => parts[place] as Part))).toEqual(straight);
      }),
      { numRuns: runsOf(50) },
    );
  });
});

type Part =
  | { readonly spans: TestSpan; readonly source: TestSource }
  | { readonly record: TestLogRecord; readonly source: TestSource };

/** What is stored when the parts came one by one: which span each record has, and what tables show. */
async function settled(parts: readonly Part[]): Promise<unknown> {
  await under.exec(
    'DELETE FROM log_records; DELETE FROM log_record_blocks; DELETE FROM spans; DELETE FROM traces; DELETE FROM sessions; DELETE FROM span_locations; DELETE FROM blocks',
  );
  for (const part of parts) {
    await store('spans' in part ? spansOf([part.spans], part.source) : recordsOf([part.record], part.source));
  }
  const records = await under.rows(
    `SELECT digest, spans.span_id FROM log_records LEFT JOIN spans ON spans.id = span_row_id ORDER BY digest`,
  );
  const spans = await under.rows(
    `SELECT spans.span_id, kind, session_id, prompt_tokens, counted_prompt_tokens, input_preview, output_preview, attributes
     FROM spans ORDER BY trace_row_id IS NULL, span_id`,
  );
  const traces = await under.rows(
    `SELECT trace_id, traces.start_us, span_count, traces.prompt_tokens, sessions.session_id
     FROM traces LEFT JOIN sessions ON sessions.id = session_row_id ORDER BY trace_id`,
  );
  return { records, spans, traces };
}

/** Few ids, services, scopes and times, so that spans overlap, lie in each other and are meant by several records. */
function telemetry(): fc.Arbitrary<{ parts: readonly Part[]; order: readonly number[] }> {
  const source = fc.record({
    resource: fc.constantFrom({ 'service.name': 'a' }, { 'service.name': 'b' }, {}),
    scope: fc.constantFrom('x', 'y'),
  });
  const number = fc.integer({ min: 1, max: 5 });
  const time = fc.integer({ min: 10, max: 20 });
  const session = fc.constantFrom(
    {},
    { 'session.id': 'one' },
    { 'session.id': 'two' },
    { 'gen_ai.conversation.id': 'one' },
  );
  const span = fc.record({
    id: number,
    parent: fc.option(number),
    trace: fc.integer({ min: 1, max: 2 }),
    time,
    length: fc.integer({ min: 0, max: 8 }),
    session,
    source,
  });
  const spans = fc.uniqueArray(span, { minLength: 1, maxLength: 5, selector: ({ id }) => id }).map((list) =>
    list.map(({ id, parent, trace, time: startUs, length, session: attributes, source: of }) => ({
      spans: {
        traceId: traceId(trace),
        spanId: spanId(id),
        ...(parent !== null && { parentSpanId: spanId(parent) }),
        startUs,
        endUs: startUs + length,
        attributes: { ...CALL, ...attributes },
      },
      source: of,
    })),
  );
  const record = fc.record({
    id: fc.option(number),
    trace: fc.option(fc.integer({ min: 1, max: 2 })),
    time,
    session,
    source,
    event: fc.constantFrom('gen_ai.choice', 'gen_ai.client.inference.operation.details'),
  });
  const records = fc.array(record, { minLength: 1, maxLength: 5 }).map((list) =>
    list.map(({ id, trace, time: timeUs, session: attributes, source: of, event }, place) => ({
      record: {
        ...CHOICE,
        eventName: event,
        ...(trace !== null && { traceId: traceId(trace) }),
        ...(trace !== null && id !== null && { spanId: spanId(id) }),
        // Records of the same time are read in the order in which they came.
        timeUs: timeUs * 10 + place,
        attributes: { ...attributes, place },
      },
      source: of,
    })),
  );
  return fc.tuple(spans, records).chain(([some, others]) => {
    // Of spans that start at the same time the one that came first names the session of the trace.
    const scaled = some.map(({ spans: one, source: of }, place) => ({
      spans: { ...one, startUs: one.startUs * 10 + place, endUs: one.endUs * 10 + place },
      source: of,
    }));
    const parts: readonly Part[] = [...scaled, ...others];
    const places = parts.map((_part, place) => place);
    return fc.shuffledSubarray(places, { minLength: places.length }).map((order) => ({ parts, order }));
  });
}
