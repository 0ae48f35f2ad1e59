/** Adds rows to a review queue, each once. */
import { sql } from 'kysely';
import { AppError } from '#base/errors';
import type { BulkDeed, BulkRows } from './bulk-action.ts';
import { doingWithRows, isAccountThere } from './act-on-rows.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import { type BulkDoing, ROWS_AT_ONCE } from './doing.ts';

/** See the file. One that is in the queue already is done. */
export function queueing({ queueRowId, addedByRowId }: Extract<BulkDeed, { readonly kind: 'queue' }>): BulkDoing {
  return doingWithRows({
    most: ROWS_AT_ONCE,
    doWith: async (scope, { askedAtUs }, target, rowIds) => {
      const { db, dialect } = scope;
      const isThere = addedByRowId !== null && (await isAccountThere(scope, addedByRowId));
      const said = sql.join(
        [queueRowId, target, isThere ? addedByRowId : null, askedAtUs].map((value) => sql.lit(value)),
      );
      await sql`INSERT INTO annotation_queue_items (queue_id, target, added_by_id, added_at_us, target_row_id)
        SELECT ${said}, item.value FROM ${dialect.numbersOf(rowIds)} AS item WHERE true
        ON CONFLICT (queue_id, target_row_id) DO NOTHING`.execute(db);
      return [];
    },
    findObstacle: async (scope, _projectRowId, rows) => {
      const target = await lockQueue(scope, queueRowId);
      if (target === undefined) return new AppError('not_found', 'There is no such queue.');
      if (target === rows) return null;
      return new AppError('invalid_argument', `This queue holds ${target}s. You cannot add ${rows}s to it.`);
    },
  });
}

/** What a queue holds, which stays until the transaction ends; `undefined` where there is none. Index: the primary key. */
async function lockQueue({ db, dialect }: DeriveScope, rowId: number): Promise<BulkRows | undefined> {
  await dialect.lockRows(db, { table: 'annotation_queues', rowIds: dialect.numbersOf([rowId]), isShared: true });
  const row = await db.selectFrom('annotation_queues').select('target').where('id', '=', rowId).executeTakeFirst();
  return row?.target;
}
