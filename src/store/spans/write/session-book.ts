/** The changes of sessions in one request, gathered and then written once a session. */
import type { SessionDelta } from '#derive/session-rollup';
import { addUsage } from '#derive/usage';
import { prepareQuery, type QueryScope } from '../../queries/prepared-query.ts';
import { type HookScope, tellErased, tellMoved } from '../../records/hooks.ts';
import type { RowIds } from './row-ids.ts';
import type { ColumnValue } from '../../schema/column-value.ts';
import type { BulkInsert, BulkUpdate, ColumnChange } from '../../schema/statements.ts';
import { toSumValues } from '../rows/cost-columns.ts';

/** What writing sessions needs. */
export interface SessionScope extends QueryScope, HookScope {
  readonly bulkInsert: BulkInsert;
  readonly bulkUpdate: BulkUpdate;
  readonly rowIds: RowIds;
}

interface SessionEntry extends SessionName {
  readonly rowId: number;
  readonly isNew: boolean;
  delta: SessionDelta | undefined;
}

/** Finds or numbers sessions and adds up what changes in them. */
export class SessionBook {
  readonly #scope: SessionScope;
  readonly #entries = new Map<string, SessionEntry>();
  /** Where the trace is that left a session last, by row id of that session. */
  readonly #joined = new Map<number, number>();

  constructor(scope: SessionScope) {
    this.#scope = scope;
  }

  /** Learns the row id of a stored session, which need not be looked up then. */
  know(projectId: number, sessionId: string, rowId: number): void {
    const entry = { rowId, projectId, sessionId, isNew: false, delta: undefined };
    this.#entries.set(keyOf(entry), entry);
  }

  /** Looks up the sessions that it does not know, and numbers those that are new. */
  async find(sessions: readonly SessionName[]): Promise<void> {
    const unknown = new Map<string, SessionName>();
    for (const session of sessions) {
      if (!this.#entries.has(keyOf(session))) unknown.set(keyOf(session), session);
    }
    if (unknown.size === 0) return;
    const sessionIds = JSON.stringify([...unknown.values()].map(({ sessionId }) => sessionId));
    const found = await selectSessions(this.#scope, { sessionIds });
    const rowIds = new Map(found.map(({ rowId, ...name }) => [keyOf(name), rowId]));
    for (const [key, session] of unknown) {
      const stored = rowIds.get(key);
      const rowId = stored ?? this.#scope.rowIds.take('sessions');
      this.#entries.set(key, { ...session, rowId, isNew: stored === undefined, delta: undefined });
    }
  }

  /** The row id of a session that was found. */
  rowId(projectId: number, sessionId: string): number {
    return this.#entry({ projectId, sessionId }).rowId;
  }

  /** Adds the change of one trace to a session that was found. */
  add(projectId: number, sessionId: string, delta: SessionDelta): void {
    const entry = this.#entry({ projectId, sessionId });
    entry.delta = entry.delta === undefined ? delta : merge(entry.delta, delta);
  }

  /** Notes that a trace left one session for another, which takes over what was said of the first if that ends. */
  join(rowId: number, intoRowId: number): void {
    this.#joined.set(rowId, intoRowId);
  }

  /** Writes all changes; the rows of their traces must be written already. */
  async flush(): Promise<void> {
    const { bulkInsert, bulkUpdate } = this.#scope;
    const changed = [...this.#entries.values()].flatMap(({ delta, ...entry }) => (delta ? { ...entry, delta } : []));
    const [added, stored] = [changed.filter(({ isNew }) => isNew), changed.filter(({ isNew }) => !isNew)];
    await bulkInsert('sessions', added.flatMap(toNewRow));
    await bulkUpdate('sessions', stored.map(toAddition), ADDING);
    await this.#readTimesAgain(stored.filter(({ delta }) => delta.isShrinking).map(({ rowId }) => rowId));
    await this.#endEmpty(stored.filter(({ delta }) => delta.traceCount < 0).map(({ rowId }) => rowId));
  }

  /** Of sessions that traces left, those without any go. Index: the primary key. */
  async #endEmpty(left: readonly number[]): Promise<void> {
    if (left.length === 0) return;
    const { db, dialect } = this.#scope;
    const isLeft = dialect.numbersOf(left);
    const empty = await db
      .selectFrom('sessions')
      .select('id as rowId')
      .where('id', 'in', isLeft)
      .where('trace_count', '<=', 0)
      .orderBy('id')
      .execute();
    if (empty.length === 0) return;
    const sessions = empty.flatMap(({ rowId }) => {
      const intoRowId = this.#joined.get(rowId);
      return intoRowId === undefined ? [] : { rowId, intoRowId };
    });
    await tellMoved(this.#scope, { sessions });
    const sessionRowIds = empty.map(({ rowId }) => rowId);
    await tellErased(this.#scope, { sessionRowIds });
    await db.deleteFrom('sessions').where('id', 'in', dialect.numbersOf(sessionRowIds)).execute();
  }

  #entry(name: SessionName): SessionEntry {
    const entry = this.#entries.get(keyOf(name));
    if (entry === undefined) throw new Error('a session was not looked up');
    return entry;
  }

  /** A session without traces has no times, and is about to be deleted. Index: traces_of_session. */
  async #readTimesAgain(rowIds: readonly number[]): Promise<void> {
    if (rowIds.length === 0) return;
    const { db, dialect, bulkUpdate } = this.#scope;
    const times = await db
      .selectFrom('traces')
      .select((trace) => [
        'session_row_id as id',
        trace.fn.min('start_us').as('start_us'),
        trace.fn.max('end_us').as('end_us'),
      ])
      .where('session_row_id', 'in', dialect.numbersOf(rowIds))
      .groupBy('session_row_id')
      .execute();
    await bulkUpdate('sessions', times);
  }
}

/** A session by what senders call it. */
export interface SessionName {
  readonly projectId: number;
  readonly sessionId: string;
}

function keyOf({ projectId, sessionId }: SessionName): string {
  return `${projectId}:${sessionId}`;
}

/** By their texts alone, which few projects share: statistics may take all sessions of a project for few. Index: sessions_by_text. */
const selectSessions = prepareQuery(({ db, dialect }, values: { readonly sessionIds: string }) =>
  db
    .selectFrom('sessions')
    .select(['id as rowId', 'project_id as projectId', 'session_id as sessionId'])
    .where('session_id', 'in', dialect.textsOfJson(values.sessionIds)),
);

interface ChangedSession extends SessionName {
  readonly rowId: number;
  readonly delta: SessionDelta;
}

function toNewRow({ rowId, projectId, sessionId, delta }: ChangedSession): Record<string, ColumnValue>[] {
  if (delta.traceCount === 0 || delta.times === null) return [];
  const { startUs, endUs } = delta.times;
  const names = { id: rowId, project_id: projectId, session_id: sessionId };
  return [{ ...names, start_us: startUs, end_us: endUs, ...toSums(delta) }];
}

function toAddition({ rowId, delta }: ChangedSession): Record<string, ColumnValue> {
  const { startUs, endUs } = delta.times ?? NEVER;
  return { id: rowId, start_us: startUs, end_us: endUs, ...toSums(delta) };
}

/** Times that widen nothing. */
const NEVER = { startUs: Number.MAX_SAFE_INTEGER, endUs: 0 };

function toSums({ traceCount, errorCount, usage }: SessionDelta) {
  return {
    trace_count: traceCount,
    error_count: errorCount,
    ...toSumValues(usage),
  };
}

const ADDING: Readonly<Record<keyof ReturnType<typeof toSums> | 'start_us' | 'end_us', ColumnChange>> = {
  start_us: 'least',
  end_us: 'greatest',
  trace_count: 'add',
  error_count: 'add',
  prompt_tokens: 'add',
  completion_tokens: 'add',
  cost_nanousd: 'add',
  prompt_cost_nanousd: 'add',
  completion_cost_nanousd: 'add',
};

function merge(a: SessionDelta, b: SessionDelta): SessionDelta {
  return {
    traceCount: a.traceCount + b.traceCount,
    errorCount: a.errorCount + b.errorCount,
    usage: addUsage(a.usage, b.usage),
    times:
      a.times === null || b.times === null
        ? (a.times ?? b.times)
        : { startUs: Math.min(a.times.startUs, b.times.startUs), endUs: Math.max(a.times.endUs, b.times.endUs) },
    isShrinking: a.isShrinking || b.isShrinking,
  };
}
