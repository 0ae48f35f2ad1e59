/** Adds spans that are inserted to the sums of their projects. */
import { QUARTER_US } from '../projects/summed.ts';
import type { ColumnValue } from '../schema/column-value.ts';
import type { SqliteConnection } from './connection.ts';

const ADD = `INSERT INTO span_sums (project_id, quarter, span_count) VALUES (?, ?, ?)
  ON CONFLICT (project_id, quarter) DO UPDATE SET span_count = span_count + excluded.span_count`;

/**
 * Does once for all spans of an insert what the trigger of PostgreSQL does once for a statement: a trigger of SQLite fires for each row, and
 * took a tenth of the time of the insert. To be called in the transaction that inserts them.
 */
export function sumInsertedSpans(
  connection: SqliteConnection,
  spans: readonly Readonly<Record<string, ColumnValue>>[],
): void {
  const sums = new Map<string, { projectId: number; quarter: number; count: number }>();
  for (const { project_id, start_us } of spans) {
    const projectId = Number(project_id);
    // Those of a trace that a deletion has hidden.
    if (projectId <= 0) continue;
    const startUs = Number(start_us);
    // Rounded, because a damaged file that is salvaged may hold starts beyond the exact integers.
    const quarter = Math.round((startUs - (startUs % QUARTER_US)) / QUARTER_US);
    const key = `${projectId} ${quarter}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { projectId, quarter, count: 1 });
    else sum.count++;
  }
  for (const { projectId, quarter, count } of sums.values()) connection.prepare(ADD).run([projectId, quarter, count]);
}
