/** The changes of sessions in one request, gathered and then written once a session. */
import type { SessionDelta } from '#derive/session-rollup';
import { addUsage, type Usage } from '#derive/usage';
import { prepareQuery, type QueryScope } from './prepared-query.ts';
import type { RowIds } from './row-ids.ts';
import type { BulkInsert } from '../../engine/statements.ts';

/** What writing sessions needs. */
export interface SessionScope extends QueryScope {
  readonly bulkInsert: BulkInsert;
  readonly rowIds: RowIds;
}

interface SessionEntry {
  readonly rowId: number;
  readonly projectId: number;
  readonly sessionId: string;
  readonly isNew: boolean;
  delta: SessionDelta | undefined;
}

/** Finds or numbers sessions and adds up what changes in them. */
export class SessionBook {
  readonly #scope: SessionScope;
  readonly #entries = new Map<string, SessionEntry>();

  constructor(scope: SessionScope) {
    this.#scope = scope;
  }

  /** Learns the row id of a stored session, which need not be looked up then. */
  know(projectId: number, sessionId: string, rowId: number): void {
    const entry = { rowId, projectId, sessionId, isNew: false, delta: undefined };
    this.#entries.set(`${projectId}:${sessionId}`, entry);
  }

  /** The row id of a session, given to it now if it is new. */
  async rowId(projectId: number, sessionId: string): Promise<number> {
    return (await this.#entry(projectId, sessionId)).rowId;
  }

  /** Adds the change of one trace. */
  async add(projectId: number, sessionId: string, delta: SessionDelta): Promise<void> {
    const entry = await this.#entry(projectId, sessionId);
    entry.delta = entry.delta === undefined ? delta : merge(entry.delta, delta);
  }

  /** Writes all changes; the rows of their traces must be written already. */
  async flush(): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (entry.delta === undefined) continue;
      if (entry.isNew) await this.#insert(entry, entry.delta);
      else await this.#update(entry, entry.delta);
    }
  }

  async #entry(projectId: number, sessionId: string): Promise<SessionEntry> {
    const key = `${projectId}:${sessionId}`;
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const [found] = await selectSession(this.#scope, { projectId, sessionId });
    const rowId = found?.id ?? this.#scope.rowIds.take('sessions');
    const entry = { rowId, projectId, sessionId, isNew: found === undefined, delta: undefined };
    this.#entries.set(key, entry);
    return entry;
  }

  async #insert(entry: SessionEntry, delta: SessionDelta): Promise<void> {
    if (delta.traceCount === 0 || delta.times === null) return;
    await this.#scope.bulkInsert('sessions', [
      {
        id: entry.rowId,
        project_id: entry.projectId,
        session_id: entry.sessionId,
        start_us: delta.times.startUs,
        end_us: delta.times.endUs,
        trace_count: delta.traceCount,
        error_count: delta.errorCount,
        prompt_tokens: delta.usage.promptTokens,
        completion_tokens: delta.usage.completionTokens,
        cost_nanousd: delta.usage.costNanoUsd,
        prompt_cost_nanousd: delta.usage.promptCostNanoUsd,
        completion_cost_nanousd: delta.usage.completionCostNanoUsd,
      },
    ]);
  }

  async #update({ rowId }: SessionEntry, { times, isShrinking, ...change }: SessionDelta): Promise<void> {
    const { traceCount, errorCount, usage } = change;
    const { startUs, endUs } = times ?? NEVER;
    await addToSession(this.#scope, { rowId, traceCount, errorCount, ...usage, startUs, endUs });
    if (isShrinking) await this.#readTimesAgain(rowId);
    if (traceCount < 0) {
      const { db } = this.#scope;
      await db.deleteFrom('sessions').where('id', '=', rowId).where('trace_count', '<=', 0).execute();
    }
  }

  /** Index: traces_of_session. */
  async #readTimesAgain(rowId: number): Promise<void> {
    const { db } = this.#scope;
    const { startUs, endUs } = await db
      .selectFrom('traces')
      .select((trace) => [trace.fn.min('start_us').as('startUs'), trace.fn.max('end_us').as('endUs')])
      .where('session_row_id', '=', rowId)
      .executeTakeFirstOrThrow();
    // A session without traces has no times, and is about to be deleted.
    if (startUs === null) return;
    await db.updateTable('sessions').set({ start_us: startUs, end_us: endUs }).where('id', '=', rowId).execute();
  }
}

/** Times that widen nothing. */
const NEVER = { startUs: Number.MAX_SAFE_INTEGER, endUs: 0 };

/** Index: sessions_by_text. */
const selectSession = prepareQuery(({ db }, values: { readonly projectId: number; readonly sessionId: string }) =>
  db
    .selectFrom('sessions')
    .select('id')
    .where('session_id', '=', values.sessionId)
    .where('project_id', '=', values.projectId),
);

interface SessionAddition extends Usage {
  readonly rowId: number;
  readonly traceCount: number;
  readonly errorCount: number;
  readonly startUs: number;
  readonly endUs: number;
}

const addToSession = prepareQuery(({ db, dialect }, values: SessionAddition) =>
  db
    .updateTable('sessions')
    .set((session) => ({
      trace_count: session('trace_count', '+', values.traceCount),
      error_count: session('error_count', '+', values.errorCount),
      prompt_tokens: session('prompt_tokens', '+', values.promptTokens),
      completion_tokens: session('completion_tokens', '+', values.completionTokens),
      cost_nanousd: session('cost_nanousd', '+', values.costNanoUsd),
      prompt_cost_nanousd: session('prompt_cost_nanousd', '+', values.promptCostNanoUsd),
      completion_cost_nanousd: session('completion_cost_nanousd', '+', values.completionCostNanoUsd),
      start_us: dialect.least(session.ref('start_us'), session.val(values.startUs)),
      end_us: dialect.greatest(session.ref('end_us'), session.val(values.endUs)),
    }))
    .where('id', '=', values.rowId),
);

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
