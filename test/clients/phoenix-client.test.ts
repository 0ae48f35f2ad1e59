/** The unmodified Phoenix client writes spans and reads them, their traces and their sessions by every method that it has for them. */
import { createClient } from '@arizeai/phoenix-client';
import {
  addSessionAnnotation,
  addSessionNote,
  getSession,
  getSessionTurns,
  listSessions,
  logSessionAnnotations,
} from '@arizeai/phoenix-client/sessions';
import {
  addDocumentAnnotation,
  addSpanAnnotation,
  addSpanNote,
  getSpanAnnotations,
  getSpans,
  logDocumentAnnotations,
  logSpanAnnotations,
  logSpans,
  type Span,
  SpanCreationError,
} from '@arizeai/phoenix-client/spans';
import { addTraceAnnotation, addTraceNote, getTraces, logTraceAnnotations } from '@arizeai/phoenix-client/traces';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAskingServer } from '../harness/asking-server.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
let client: ReturnType<typeof createClient>;
const project = { projectName: 'by the client' };

/** A turn of a conversation: an agent and the call that it makes, each turn a second longer. */
function turn(number: number, status = 'OK'): Span[] {
  const context = (span: string) => ({ trace_id: `trace ${number}`, span_id: `${span} ${number}` });
  const start_time = `2026-01-02T03:04:0${number}.5Z`;
  const end_time = `2026-01-02T03:04:0${number * 2}.5+00:00`;
  const session = { 'session.id': number < 3 ? 'conversation' : 'other' };
  return [
    {
      name: 'agent',
      context: context('agent'),
      span_kind: 'AGENT',
      start_time,
      end_time,
      status_code: status,
      attributes: { ...session, 'input.value': `question ${number}`, 'output.value': `answer ${number}` },
    },
    {
      name: 'call',
      context: context('call'),
      span_kind: 'LLM',
      parent_id: `agent ${number}`,
      start_time,
      end_time,
      status_code: 'OK',
      attributes: { ...session, number, llm: { model_name: 'gpt', token_count: { prompt: 10, completion: number } } },
      events: [{ name: 'first token', timestamp: start_time, attributes: { token: 'a' } }],
    },
  ];
}

async function names(filter: object): Promise<string[]> {
  const { spans } = await getSpans({ client, project, ...filter });
  return spans.map(({ context }) => context.span_id);
}

describe.each([
  ['nobody is asked for credentials', startTestServer, () => ({})],
  // As users give it, and as the client finds it.
  ['a key is asked for', startAskingServer, (key: string) => ({ PHOENIX_API_KEY: key })],
])('where %s', (_where, start, environmentWith) => {
  beforeAll(async () => {
    server = await start();
    const environment = environmentWith('key' in server ? String(server.key) : '');
    Object.assign(process.env, environment);
    client = createClient({ options: { baseUrl: server.url } });
    for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name);
    await logSpans({ client, project, spans: [...turn(1), ...turn(2, 'ERROR'), ...turn(3)] });
  });

  afterAll(() => server[Symbol.asyncDispose]());

  describe('spans', () => {
    it('come back as they were sent', async () => {
      const { spans } = await getSpans({ client, project, traceIds: ['trace 3'], name: 'call' });
      expect(spans).toEqual([
        {
          id: expect.any(String) as string,
          name: 'call',
          context: { trace_id: 'trace 3', span_id: 'call 3' },
          span_kind: 'LLM',
          parent_id: 'agent 3',
          start_time: '2026-01-02T03:04:03.500000+00:00',
          end_time: '2026-01-02T03:04:06.500000+00:00',
          status_code: 'OK',
          status_message: '',
          attributes: {
            'session.id': 'other',
            number: 3,
            'llm.model_name': 'gpt',
            'llm.token_count.prompt': 10,
            'llm.token_count.completion': 3,
          },
          events: [{ name: 'first token', timestamp: '2026-01-02T03:04:03.500000+00:00', attributes: { token: 'a' } }],
        },
      ]);
    });

    it('can be copied to another project under other ids', async () => {
      const copy = { projectName: 'copy' };
      const { spans } = await getSpans({ client, project, spanKind: 'LLM' });
      const renamed = spans.map(({ attributes: { 'session.id': _session, ...attributes } = {}, ...span }) => ({
        ...span,
        attributes,
        context: { trace_id: `copy of ${span.context.trace_id}`, span_id: `copy of ${span.context.span_id}` },
      }));
      expect(await logSpans({ client, project: copy, spans: renamed })).toEqual({ totalReceived: 3, totalQueued: 3 });
      const copies = await getSpans({ client, project: copy });
      expect(copies.spans.map(({ id: _id, ...span }) => span)).toEqual(
        renamed.map(({ id: _id, ...span }) => span).reverse(),
      );
    });

    it('that are stored already, or have no time zone, are refused with all that come with them', async () => {
      const fresh = { ...turn(4)[0], context: { trace_id: 'trace 4', span_id: 'fresh' } } as Span;
      const again = await logSpans({ client, project, spans: [fresh, ...turn(1)] }).catch((error: unknown) => error);
      expect(again).toBeInstanceOf(SpanCreationError);
      expect(again).toMatchObject({
        totalReceived: 3,
        totalQueued: 0,
        duplicateSpans: [
          { spanId: 'agent 1', traceId: 'trace 1' },
          { spanId: 'call 1', traceId: 'trace 1' },
        ],
      });
      const naive = { ...fresh, start_time: '2026-01-02T03:04:05' };
      const refused = await logSpans({ client, project, spans: [fresh, naive] }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ invalidSpans: [{ spanId: 'fresh', traceId: 'trace 4' }] });
      expect(String(refused)).toContain('timezone-naive');
      expect(await names({ traceIds: ['trace 4'] })).toEqual([]);
    });

    it('are found by every filter', async () => {
      expect(await names({ traceIds: ['trace 1', 'trace 2'], spanKind: ['LLM'] })).toEqual(['call 2', 'call 1']);
      expect(await names({ parentId: 'agent 2' })).toEqual(['call 2']);
      expect(await names({ parentId: null })).toEqual(['agent 3', 'agent 2', 'agent 1']);
      expect(await names({ statusCode: 'ERROR' })).toEqual(['agent 2']);
      expect(await names({ name: ['agent', 'nobody'], startTime: '2026-01-02T03:04:02.5Z' })).toEqual([
        'agent 3',
        'agent 2',
      ]);
      expect(await names({ name: 'call', endTime: new Date('2026-01-02T03:04:02.5Z') })).toEqual(['call 1']);
      expect(await names({ attributes: { 'llm.model_name': 'gpt', number: 2 } })).toEqual(['call 2']);
      const first = await getSpans({ client, project, name: 'call', limit: 2 });
      expect(await names({ name: 'call', limit: 2, cursor: first.nextCursor })).toEqual(['call 1']);
    });
  });

  describe('traces', () => {
    it('are listed in both orders, in pages, by time and by session, with their spans', async () => {
      const ids = async (filter: object) => {
        const { traces } = await getTraces({ client, project, ...filter });
        return traces.map(({ trace_id }) => trace_id);
      };
      expect(await ids({})).toEqual(['trace 3', 'trace 2', 'trace 1']);
      expect(await ids({ sort: 'latency_ms', order: 'asc' })).toEqual(['trace 1', 'trace 2', 'trace 3']);
      expect(await ids({ sessionId: ['conversation', 'nobody'] })).toEqual(['trace 2', 'trace 1']);
      expect(await ids({ startTime: '2026-01-02T03:04:02.5Z', endTime: '2026-01-02T03:04:03.5Z' })).toEqual([
        'trace 2',
      ]);
      const { traces, nextCursor } = await getTraces({ client, project, limit: 1, includeSpans: true });
      expect(traces).toMatchObject([
        {
          trace_id: 'trace 3',
          token_count_prompt: 10,
          token_count_completion: 3,
          token_count_total: 13,
          spans: [
            { span_id: 'agent 3', parent_id: null },
            { span_id: 'call 3', parent_id: 'agent 3' },
          ],
        },
      ]);
      expect(await ids({ limit: 5, cursor: nextCursor })).toEqual(['trace 2', 'trace 1']);
    });
  });

  describe('sessions', () => {
    it('are listed, found by either id, and told turn by turn', async () => {
      const sessions = await listSessions({ client, project: project.projectName });
      expect(sessions.map(({ sessionId }) => sessionId)).toEqual(['conversation', 'other']);
      const [first] = sessions;
      const found = await getSession({ client, sessionId: first?.id ?? '' });
      expect(found).toEqual(await getSession({ client, sessionId: 'conversation' }));
      expect(found.traces.map(({ traceId }) => traceId)).toEqual(['trace 1', 'trace 2']);
      const turns = await getSessionTurns({ client, sessionId: 'conversation' });
      expect(turns.map(({ traceId, input, output }) => [traceId, input?.value, output?.value])).toEqual([
        ['trace 1', 'question 1', 'answer 1'],
        ['trace 2', 'question 2', 'answer 2'],
      ]);
    });
  });

  describe('annotations', () => {
    const said = (name: string) => ({ name, annotatorKind: 'LLM', score: 0, metadata: { by: 'test' } }) as const;
    const id = expect.stringMatching(/^[A-Za-z0-9+/=]+$/) as string;

    it('of spans are stored, waited for or not, and come back', async () => {
      const one = await addSpanAnnotation({ client, spanAnnotation: { spanId: 'call 3', ...said('one') }, sync: true });
      expect(one).toEqual({ id });
      const two = [
        { spanId: 'call 3', ...said('two') },
        { spanId: 'agent 3', ...said('two') },
      ];
      expect(await logSpanAnnotations({ client, spanAnnotations: two, sync: true })).toEqual([{ id }, { id }]);
      expect(await addSpanAnnotation({ client, spanAnnotation: { spanId: 'call 3', ...said('three') } })).toBeNull();
      const notes = [await addSpanNote({ client, spanNote: { spanId: 'call 3', note: 'seen' } })];
      notes.push(await addSpanNote({ client, spanNote: { spanId: 'call 3', note: 'seen', identifier: 'me' } }));
      expect(new Set(notes.map((note) => note.id)).size).toBe(2);
      const { annotations } = await getSpanAnnotations({ client, project, spanIds: ['call 3'] });
      expect(annotations.map(({ name }) => name)).toEqual(['note', 'note', 'three', 'two', 'one']);
      expect(annotations.at(-1)).toMatchObject({
        id: one?.id,
        span_id: 'call 3',
        annotator_kind: 'LLM',
        result: { score: 0, label: null },
        metadata: { by: 'test' },
        identifier: '',
      });
    });

    it('of traces, sessions and documents are stored', async () => {
      const trace = { traceId: 'trace 3', ...said('one') };
      expect(await addTraceAnnotation({ client, traceAnnotation: trace, sync: true })).toEqual({ id });
      expect(await logTraceAnnotations({ client, traceAnnotations: [trace], sync: true })).toEqual([{ id }]);
      expect(await addTraceNote({ client, traceNote: { traceId: 'trace 3', note: 'seen' } })).toEqual({ id });
      const session = { sessionId: 'other', ...said('one') };
      expect(await addSessionAnnotation({ client, sessionAnnotation: session, sync: true })).toEqual({ id });
      expect(await logSessionAnnotations({ client, sessionAnnotations: [session], sync: true })).toEqual([{ id }]);
      expect(await addSessionNote({ client, sessionNote: { sessionId: 'other', note: 'seen' } })).toEqual({ id });
      const [span] = turn(4);
      if (span === undefined) throw new Error('a turn has spans');
      const documents = { 'retrieval.documents': [{ document: { content: 'a' } }, { document: { content: 'b' } }] };
      await logSpans({ client, project, spans: [{ ...span, attributes: documents }] });
      const document = { spanId: 'agent 4', documentPosition: 1, ...said('one') };
      expect(await addDocumentAnnotation({ client, documentAnnotation: document, sync: true })).toEqual({ id });
      expect(await logDocumentAnnotations({ client, documentAnnotations: [document], sync: true })).toEqual([{ id }]);
    });
  });
});
