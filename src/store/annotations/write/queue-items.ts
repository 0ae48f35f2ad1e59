/** Adds rows to review queues. */
import { sql } from 'kysely';
import type { QueueTarget } from '#domain/annotation-queue';
import type { RecordHandle } from '../../records/hooks.ts';
import { TARGET_TABLES } from '../../records/shown-target.ts';
import { lockTargets } from './find-targets.ts';

/** Rows that a rule found for a queue. */
export interface FoundForQueue {
  readonly queueRowId: number;
  readonly target: QueueTarget;
  readonly projectRowId: number;
  readonly rowIds: readonly number[];
}

/** Adds those that are still in the project, each once; gives how many were not there. Index: annotation_queue_items_of_queue. */
export async function addQueueItems(
  scope: RecordHandle,
  { queueRowId, target, projectRowId, rowIds }: FoundForQueue,
  nowUs: number,
): Promise<number> {
  const { db, dialect } = scope;
  const targets = await lockTargets(scope, target, rowIds);
  const kept = rowIds.filter((rowId) => targets.get(rowId)?.projectRowId === projectRowId);
  if (kept.length === 0) return 0;
  const { numAffectedRows } =
    await sql`INSERT INTO annotation_queue_items (queue_id, target, target_row_id, added_at_us)
    SELECT ${sql.lit(queueRowId)}, ${sql.lit(target)}, found.value, ${sql.lit(nowUs)}
    FROM ${dialect.numbersOf(kept)} AS found WHERE true
    ON CONFLICT (queue_id, target_row_id) DO NOTHING`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The id that the next row gets which arrives. */
export async function readNextRowId({ db }: Pick<RecordHandle, 'db'>, target: QueueTarget): Promise<number> {
  const query = db.selectFrom('row_ids').select('next_id').where('table_name', '=', TARGET_TABLES[target]);
  return (await query.executeTakeFirst())?.next_id ?? 1;
}
