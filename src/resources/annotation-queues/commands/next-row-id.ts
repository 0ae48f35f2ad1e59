import type { QueueTarget } from '#domain/annotation-queue';
import { TARGET_TABLES } from '#store/annotations/shown-target';
import type { RecordScope } from '#store/commands/command';

/** The id that the next row gets which arrives. */
export async function readNextRowId({ db }: Pick<RecordScope, 'db'>, target: QueueTarget): Promise<number> {
  const query = db.selectFrom('row_ids').select('next_id').where('table_name', '=', TARGET_TABLES[target]);
  return (await query.executeTakeFirst())?.next_id ?? 1;
}
