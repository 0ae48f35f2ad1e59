/** Gives up records of ordinary logging whose trace never came, so that they cannot fill the disk. */
import { sql } from 'kysely';
import { prepareQuery } from '../../queries/prepared-query.ts';
import { forgetRecords } from './record-blocks.ts';
import type { RecordScope } from './scope.ts';

/**
 * Removes records whose time is up, a bounded number of them, and keeps those whose trace is stored; returns how many
 * went, by project. Index: log_records_expiring.
 */
export async function expireRecords(
  scope: Pick<RecordScope, 'db' | 'dialect' | 'run' | 'bulkUpdate'>,
  nowUs: number,
): Promise<ReadonlyMap<number, number>> {
  const due = await selectDue(scope, { nowUs });
  const kept = due.filter((record) => record.trace_row_id !== null).map((record) => record.id);
  if (kept.length > 0) await keep(scope, { ids: JSON.stringify(kept) });
  const gone = due.filter((record) => record.trace_row_id === null);
  await forgetRecords(
    scope,
    gone.map((record) => record.id),
  );
  const counts = new Map<number, number>();
  for (const { project_id } of gone) counts.set(project_id, (counts.get(project_id) ?? 0) + 1);
  return counts;
}

/** What a commit may take of the writer's time for it; where more is due, it goes with the next ones. */
const MAX_EXPIRED = 300;

const selectDue = prepareQuery(({ db }, values: { readonly nowUs: number }) =>
  db
    .selectFrom('log_records')
    .select(['id', 'project_id'])
    .select((record) =>
      record
        .selectFrom('traces')
        .select('traces.id')
        .whereRef('traces.trace_id', '=', 'log_records.trace_id')
        .as('trace_row_id'),
    )
    .where('expires_us', '<=', values.nowUs)
    .orderBy('expires_us')
    .limit(sql.lit(MAX_EXPIRED)),
);

const keep = prepareQuery(({ db, dialect }, values: { readonly ids: string }) =>
  db.updateTable('log_records').set({ expires_us: null }).where('id', 'in', dialect.numbersOfJson(values.ids)),
);
