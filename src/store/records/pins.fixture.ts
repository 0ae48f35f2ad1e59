/** Records of tests: whoever looks at a trace, a span or a session may pin it. The slice that this would be, in one file. */
import { type SqlBool, sql } from 'kysely';
import { isInProject, isSpanInProject } from '../spans/rows/visible.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import type { RecordHooks, RecordHandle } from './hooks.ts';
import { type LockedTarget, lockSessions, lockSpans, lockTraces } from './lock-targets.ts';

/** What is pinned. */
export type PinnedKind = 'trace' | 'span' | 'session';

const KINDS: readonly PinnedKind[] = ['trace', 'span', 'session'];

/** Creates the tables. */
export async function createPins({ dialect, exec }: Pick<TestEngine, 'dialect' | 'exec'>): Promise<void> {
  for (const kind of KINDS) {
    const table = `CREATE TABLE pinned_${kind}s (row_id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL)`;
    await exec(dialect.define(table));
  }
}

const LOCK: Readonly<
  Record<PinnedKind, (scope: RecordHandle, rowIds: readonly number[]) => Promise<ReadonlyMap<number, LockedTarget>>>
> = { trace: lockTraces, span: lockSpans, session: lockSessions };

/** The command: pins something; `false` where it is not there. */
export async function pin(scope: RecordHandle, kind: PinnedKind, rowId: number): Promise<boolean> {
  const target = (await LOCK[kind](scope, [rowId])).get(rowId);
  if (target === undefined) return false;
  await sql`INSERT INTO ${sql.table(`pinned_${kind}s`)} (row_id, project_id) VALUES (${rowId}, ${target.projectRowId})
    ON CONFLICT (row_id) DO NOTHING`.execute(scope.db);
  return true;
}

/** What becomes of pins. */
export const pinHooks: RecordHooks = {
  async onErased(scope, { traceRowIds, spanRowIds, sessionRowIds }) {
    await unpin(scope, 'trace', traceRowIds);
    await unpin(scope, 'span', spanRowIds);
    await unpin(scope, 'session', sessionRowIds);
  },
  async onMoved(scope, { traceRowIds, spanRowIds, sessions }) {
    await follow(scope, 'trace', traceRowIds);
    await follow(scope, 'span', spanRowIds);
    for (const { rowId, intoRowId } of sessions) {
      await sql`INSERT INTO pinned_sessions (row_id, project_id)
        SELECT id, project_id FROM sessions
        WHERE id = ${intoRowId} AND EXISTS (SELECT 1 FROM pinned_sessions WHERE row_id = ${rowId})
        ON CONFLICT (row_id) DO NOTHING`.execute(scope.db);
    }
  },
};

async function unpin({ db, dialect }: RecordHandle, kind: PinnedKind, rowIds: readonly number[]): Promise<void> {
  await sql`DELETE FROM ${sql.table(`pinned_${kind}s`)} WHERE row_id IN ${dialect.numbersOf(rowIds)}`.execute(db);
}

async function follow({ db, dialect }: RecordHandle, kind: 'trace' | 'span', rowIds: readonly number[]): Promise<void> {
  await sql`UPDATE ${sql.table(`pinned_${kind}s`)}
    SET project_id = (SELECT project_id FROM ${sql.table(`${kind}s`)} AS target WHERE target.id = row_id)
    WHERE row_id IN ${dialect.numbersOf(rowIds)}`.execute(db);
}

/** The pins that are shown, by names that do not depend on row ids. */
export async function listPins({ db }: RecordHandle): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT 'trace ' || trace_id AS name FROM pinned_traces
      JOIN traces ON traces.id = row_id AND traces.project_id = pinned_traces.project_id WHERE ${isInProject('traces')}
    UNION ALL SELECT 'span ' || trace_id || ' ' || spans.span_id FROM pinned_spans
      JOIN spans ON spans.id = row_id JOIN traces ON traces.id = spans.trace_row_id WHERE ${isSpanInProject}
    UNION ALL SELECT 'session ' || projects.name || ' ' || session_id FROM pinned_sessions
      JOIN sessions ON sessions.id = row_id AND sessions.project_id = pinned_sessions.project_id
      JOIN projects ON projects.id = sessions.project_id`.execute(db);
  return rows.map(({ name }) => name).sort();
}

/** Pins of nothing, or of a span under the project that it was in before: never any of the first, and none of the second in the end. */
export async function findLostPins({ db }: RecordHandle, isSettled: boolean): Promise<readonly unknown[]> {
  const elsewhere = isSettled ? sql<SqlBool>`OR target.project_id <> pin.project_id` : sql``;
  const lost = KINDS.map(
    (kind) => sql`SELECT ${sql.lit(kind)} AS kind, row_id FROM ${sql.table(`pinned_${kind}s`)} AS pin
      LEFT JOIN ${sql.table(`${kind}s`)} AS target ON target.id = row_id WHERE target.id IS NULL ${elsewhere}`,
  );
  return (await sql`${sql.join(lost, sql` UNION ALL `)}`.execute(db)).rows;
}
