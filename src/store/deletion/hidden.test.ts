import { describe, expect, it } from 'vitest';
import { spanId, TEST_START_US, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { recordsOf } from '../logs/write/open-writer.fixture.ts';
import { type DeletionStore, findLeftovers, openDeletionStore, readEverything } from './deletion.fixture.ts';
import { planRemoval } from './removal-plan.ts';

const PAGE = { limit: 100, cursor: null } as const;

/** A span of its own trace and, two by two, of a session. */
function lone(number: number): TestSpan & { readonly traceId: string } {
  return {
    traceId: traceId(number),
    spanId: spanId(number),
    startUs: TEST_START_US + number * 1000,
    attributes: { 'session.id': `session ${Math.ceil(number / 2)}` },
  };
}

/** A remover that never gets to erasing what it hides. */
function neverErasing(store: DeletionStore) {
  return store.restart((call) => {
    if (call === 'before erase') throw new Error('not today');
  });
}

/** Everything that anybody can find out of spans, traces, sessions and log records, by any id that they may have kept. */
async function askForEverything({ store, db }: DeletionStore, ids: Ids) {
  const records = await db.selectFrom('log_records').select('id').execute();
  const { spanRowId, traceRowId, sessionRowId } = ids;
  return {
    spans: (await store.findSpans([spanRowId])).size,
    spanByOtelId: await store.findSpanByOtelId(spanId(1)),
    spanByIdentity: (await store.findSpansByIdentity([{ traceId: traceId(1), spanId: spanId(1) }]))[0],
    original: await store.readSpanOriginal({ rowId: spanRowId }, 'protobuf'),
    originalByOtelId: await store.readSpanOriginal({ otelId: spanId(1) }, 'protobuf'),
    traces: (await store.findTraces([traceRowId])).size,
    traceByOtelId: await store.findTraceByOtelId(traceId(1)),
    traceOriginal: await store.readTraceOriginal({ rowId: traceRowId }, 'protobuf'),
    traceOriginalByOtelId: await store.readTraceOriginal({ otelId: traceId(1) }, 'protobuf'),
    sessions: (await store.findSessions([sessionRowId])).size,
    session: await store.findSession({ rowId: sessionRowId }),
    sessionByText: await store.findSession({ sessionId: 'session 1' }),
    allSessions: (await store.listSessions({}, { ...PAGE, sort: 'id', order: 'asc' })).data.length,
    logs: await store.readSpanLogs({ rowId: spanRowId }, 'protobuf'),
    traceLogs: await store.readTraceLogs({ otelId: traceId(1) }, 'protobuf'),
    records: (await store.findLogRecords(records.map(({ id }) => id))).size,
  };
}

const NOTHING = {
  spans: 0,
  spanByOtelId: undefined,
  spanByIdentity: undefined,
  original: undefined,
  originalByOtelId: undefined,
  traces: 0,
  traceByOtelId: undefined,
  traceOriginal: undefined,
  traceOriginalByOtelId: undefined,
  sessions: 0,
  session: undefined,
  sessionByText: undefined,
  allSessions: 0,
  logs: undefined,
  traceLogs: undefined,
  records: 0,
};

interface Ids {
  readonly spanRowId: number;
  readonly traceRowId: number;
  readonly sessionRowId: number;
}

async function idsOfFirst(store: DeletionStore): Promise<Ids> {
  return {
    spanRowId: await store.spanRowId(spanId(1)),
    traceRowId: await store.traceRowId(traceId(1)),
    sessionRowId: await store.sessionRowId('session 1'),
  };
}

async function openWithTwo(): Promise<DeletionStore> {
  const store = await openDeletionStore();
  await store.send([lone(1), lone(2)], 'app');
  await store.writer.write([
    recordsOf([{ traceId: traceId(1), spanId: spanId(1), eventName: 'gen_ai.choice' }], {}, 'app'),
    recordsOf([{ traceId: traceId(1), spanId: spanId(77), eventName: 'gen_ai.choice' }], {}, 'app'),
  ]);
  return store;
}

describe('what is deleted and not erased yet', () => {
  it('is found by no id of a project that is gone', async () => {
    const store = await openWithTwo();
    const ids = await idsOfFirst(store);
    expect(await askForEverything(store, ids)).not.toMatchObject({ spans: 0 });
    const remover = neverErasing(store);
    expect(await remover.deleteProject(await store.projectRowId('app'))).toBe(true);
    expect(await askForEverything(store, ids)).toEqual(NOTHING);
    await remover.stop();
    expect(await store.rows('SELECT id FROM spans')).toHaveLength(2);
  });

  it('is found by no id of a trace, and in no list or sum of its project', async () => {
    const store = await openWithTwo();
    await store.send([lone(3)], 'app');
    const ids = await idsOfFirst(store);
    const projectRowId = await store.projectRowId('app');
    const remover = neverErasing(store);
    const deleted = remover.deleteTraces(projectRowId, { sessionRowIds: [ids.sessionRowId] });
    expect(await deleted).toEqual({ traceCount: 2, spanCount: 2 });
    expect(await askForEverything(store, ids)).toEqual({ ...NOTHING, allSessions: 1 });
    const { data } = await store.store.listSpans({ projectRowId }, { ...PAGE, sort: 'id', order: 'asc' });
    expect(data.map((span) => span.spanId)).toEqual([spanId(3)]);
    const browsed = await store.store.browseSpans(
      { projectRowId, rootsOnly: false },
      { sort: 'latency', order: 'desc', limit: 10, after: null },
    );
    expect(browsed.rows.map((span) => span.spanId)).toEqual([spanId(3)]);
    await remover.stop();
    expect(await store.rows('SELECT id FROM spans')).toHaveLength(3);
  });

  it('is another one where it is sent again, and is erased all the same', async () => {
    const store = await openWithTwo();
    const remover = neverErasing(store);
    await remover.deleteProject(await store.projectRowId('app'));
    expect(await store.send([lone(1), lone(2)], 'app')).toMatchObject({ stored: 2, duplicate: 0 });
    const [again] = await store.writer.write([
      recordsOf([{ traceId: traceId(1), spanId: spanId(1), eventName: 'gen_ai.choice' }], {}, 'app'),
    ]);
    expect(again).toMatchObject({ stored: 1, duplicate: 0 });
    await remover.stop();
    const fresh = await openDeletionStore();
    await fresh.send([lone(1), lone(2)], 'app');
    await fresh.writer.write([
      recordsOf([{ traceId: traceId(1), spanId: spanId(1), eventName: 'gen_ai.choice' }], {}, 'app'),
    ]);
    const restarted = store.restart();
    restarted.resume();
    await restarted.finished();
    expect(await readEverything(store)).toEqual(await readEverything(fresh));
    expect(await findLeftovers(store)).toEqual([]);
  });

  it('counts again in the project where the trace is sent again', async () => {
    const store = await openDeletionStore();
    await store.send([lone(1), lone(2), lone(3)]);
    const remover = neverErasing(store);
    const projectRowId = await store.projectRowId('default');
    await remover.deleteTraces(projectRowId, {
      traceRowIds: [await store.traceRowId(traceId(1)), await store.traceRowId(traceId(3))],
    });
    await store.send([lone(1)]);
    const { data } = await store.store.listSpans({ projectRowId }, { ...PAGE, sort: 'id', order: 'asc' });
    expect(data.map((span) => span.spanId)).toEqual([spanId(2), spanId(1)]);
    expect(await store.store.findSession({ sessionId: 'session 1' })).toMatchObject({ traceCount: 2 });
    await remover.stop();
    const restarted = store.restart();
    restarted.resume();
    await restarted.finished();
    expect(await findLeftovers(store)).toEqual([]);
    expect(await store.rows('SELECT span_id FROM spans ORDER BY id')).toEqual([
      { span_id: spanId(2) },
      { span_id: spanId(1) },
    ]);
  });
});

describe('a deletion', () => {
  it('hides more traces than one transaction does, and none that come later', async () => {
    const store = await openDeletionStore(400);
    await store.send(Array.from({ length: 1203 }, (_, number) => lone(number + 1)));
    const projectRowId = await store.projectRowId('default');
    const open = { startTimeUs: null, before: null };
    let isSent = false;
    const remover = store.restart((call) => {
      if (call !== 'after hideNext' || isSent) return;
      isSent = true;
      void store.send([lone(5000)]);
    });
    expect(await remover.deleteTraces(projectRowId, open)).toEqual({ traceCount: 1203, spanCount: 1203 });
    await remover.finished();
    expect(await store.rows('SELECT span_id FROM spans')).toEqual([{ span_id: spanId(5000) }]);
    expect(await findLeftovers(store)).toEqual([]);
    expect(store.finished).toMatchObject([{ traceCount: 1203, spanCount: 1203, erasedSpanCount: 1203 }]);
  });

  it('tells those who watch, and remembers what it did', async () => {
    const store = await openDeletionStore();
    await store.send([lone(1), lone(2)], 'app');
    const projectRowId = await store.projectRowId('app');
    await store.remover.deleteTraces(projectRowId, { traceRowIds: [await store.traceRowId(traceId(2))] });
    expect(store.touched).toMatchObject([{ projectRowId, traceIds: [traceId(2)] }]);
    await store.remover.deleteProject(projectRowId);
    expect(store.touched.at(-1)).toMatchObject({ projectRowId, traceIds: null });
    await store.remover.finished();
    expect(
      store.finished.map(({ projectName, selection, traceCount }) => [projectName, selection === null, traceCount]),
    ).toEqual([
      ['app', false, 1],
      ['app', true, 1],
    ]);
  });

  it('of nothing leaves nothing behind', async () => {
    const store = await openDeletionStore();
    await store.send([lone(1)]);
    const projectRowId = await store.projectRowId('default');
    expect(await store.remover.deleteTraces(projectRowId, { traceRowIds: [99] })).toEqual({
      traceCount: 0,
      spanCount: 0,
    });
    expect(await store.remover.deleteTraces(99, { traceRowIds: [1] })).toBeUndefined();
    expect(await store.remover.deleteProject(99)).toBe(false);
    expect(await store.remover.deleteSpan(99)).toBe(false);
    expect(await store.remover.moveTraces([99], projectRowId)).toBeUndefined();
    expect(await store.remover.moveTraces([1], 99)).toBeUndefined();
    expect(await store.rows('SELECT * FROM deletions')).toEqual([]);
    expect(await planRemoval(store.db, store.dialect, 10)).toBeUndefined();
  });

  it('never takes the project default', async () => {
    const store = await openDeletionStore();
    await expect(store.remover.deleteProject(await store.projectRowId('default'))).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });
});
