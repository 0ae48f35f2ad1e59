import { hash } from 'node:crypto';
import { readAroundDamage } from '../../engine/around-damage.ts';
import type { Damage } from '../../engine/damage.ts';
import type { WriteEngine } from '../../engine/engine.ts';
import type { QueryScope } from '../../queries/prepared-query.ts';
import type { Registry } from './registry.ts';

/** What mending works with, in one transaction. */
export interface MendScope extends QueryScope {
  readonly registry: Registry;
  readonly rebuildIndexes?: WriteEngine['rebuildIndexes'];
}

/**
 * Mends the row of a resource or of an instrumentation scope that is damaged: at once where only its hash is, which the index still has;
 * otherwise when it is sent again, for which what is known of it is forgotten. Index: the primary key, that of hashes.
 */
export async function mendEnvelope(
  { db, registry, rebuildIndexes }: MendScope,
  { table, rowId }: NonNullable<Damage['envelope']>,
): Promise<void> {
  registry.forget();
  const { rows } = await readAroundDamage([rowId], (ids) =>
    db.selectFrom(table).select('envelope').where('id', 'in', ids).execute(),
  );
  // One on a page that cannot be read is mended with its table.
  const [row] = rows;
  if (row === undefined || rebuildIndexes === undefined) return;
  const digest = hash('sha256', row.envelope, 'buffer');
  const indexed = await db.selectFrom(table).select('id').where('hash', '=', digest).executeTakeFirst();
  if (indexed?.id !== rowId) return;
  // A row cannot be changed while its entry in an index is not found.
  rebuildIndexes(table);
  await db.updateTable(table).set({ hash: digest }).where('id', '=', rowId).execute();
}
