/** The changes of sessions in one request, gathered and then written once a session. */
import { type Kysely, sql } from 'kysely';
import type { SessionDelta } from '#derive/session-rollup';
import { addUsage } from '#derive/usage';
import type { Tables } from '../../schema/tables.ts';
import type { RowIds } from './row-ids.ts';

interface SessionEntry {
  readonly rowId: number;
  readonly projectId: number;
  readonly sessionId: string;
  readonly isNew: boolean;
  delta: SessionDelta | undefined;
}

/** Finds or numbers sessions and adds up what changes in them. */
export class SessionBook {
  readonly #db: Kysely<Tables>;
  readonly #rowIds: RowIds;
  readonly #entries = new Map<string, SessionEntry>();

  constructor(db: Kysely<Tables>, rowIds: RowIds) {
    this.#db = db;
    this.#rowIds = rowIds;
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
    const found = await this.#db
      .selectFrom('sessions')
      .select('id')
      .where('session_id', '=', sessionId)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    const rowId = found?.id ?? this.#rowIds.take('sessions');
    const entry = { rowId, projectId, sessionId, isNew: found === undefined, delta: undefined };
    this.#entries.set(key, entry);
    return entry;
  }

  async #insert(entry: SessionEntry, delta: SessionDelta): Promise<void> {
    if (delta.traceCount === 0 || delta.times === null) return;
    await this.#db
      .insertInto('sessions')
      .values({
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
      })
      .execute();
  }

  async #update(entry: SessionEntry, delta: SessionDelta): Promise<void> {
    const times = delta.isShrinking ? await this.#readTimes(entry.rowId) : delta.times;
    await this.#db
      .updateTable('sessions')
      .set((session) => ({
        trace_count: session('trace_count', '+', delta.traceCount),
        error_count: session('error_count', '+', delta.errorCount),
        prompt_tokens: session('prompt_tokens', '+', delta.usage.promptTokens),
        completion_tokens: session('completion_tokens', '+', delta.usage.completionTokens),
        cost_nanousd: session('cost_nanousd', '+', delta.usage.costNanoUsd),
        ...(times !== null && {
          start_us: delta.isShrinking ? times.startUs : sql<number>`min(start_us, ${times.startUs})`,
          end_us: delta.isShrinking ? times.endUs : sql<number>`max(end_us, ${times.endUs})`,
        }),
      }))
      .where('id', '=', entry.rowId)
      .execute();
    if (delta.traceCount < 0) {
      await this.#db.deleteFrom('sessions').where('id', '=', entry.rowId).where('trace_count', '<=', 0).execute();
    }
  }

  /** Index: traces_of_session. */
  async #readTimes(rowId: number): Promise<SessionDelta['times']> {
    const { startUs, endUs } = await this.#db
      .selectFrom('traces')
      .select((trace) => [trace.fn.min('start_us').as('startUs'), trace.fn.max('end_us').as('endUs')])
      .where('session_row_id', '=', rowId)
      .executeTakeFirstOrThrow();
    return startUs === null || endUs === null ? null : { startUs, endUs };
  }
}

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
