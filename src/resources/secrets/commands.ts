/** Changes of stored secrets. What reaches the writer's thread is encrypted. */
import type { Caller } from '#domain/caller';
import type { RotatedSecret, SealedSecret, SecretChange } from '#domain/secret';
import { defineCommands, growing, recordCommand, type RecordScope } from '#store/commands/command';
import { secretPolicy } from './policy.ts';
import { SECRET_COLUMNS, type StoredSecret, toStoredSecret } from './queries.ts';

/** The commands. */
export const secretCommands = defineCommands(growing(secretPolicy, 'upsertOrDelete'), {
  /** All of the changes or none, each of another name; gives what was stored. What is not there is deleted silently. */
  upsertOrDelete: recordCommand(
    async (scope, caller, changes: readonly SecretChange[]): Promise<readonly StoredSecret[]> => {
      const stored: StoredSecret[] = [];
      // In one order, so that two batches do not wait for each other in a circle.
      for (const { name, sealed } of changes.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        if (sealed === null) await deleteSecret(scope, name);
        else stored.push(await storeSecret(scope, caller, name, sealed));
      }
      return stored;
    },
  ),

  /** Leaves a trace of somebody's use of a secret; `false` where there is none of that name. */
  use: recordCommand(async (scope, _caller, name: string): Promise<boolean> => {
    const found = await scope.db.selectFrom('secrets').select('name').where('name', '=', name).executeTakeFirst();
    if (found !== undefined) scope.note({ object: objectOf(name) });
    return found !== undefined;
  }),

  /** Stores values under another key, but for those that somebody changed meanwhile; gives the names of those that it stored. */
  rotate: recordCommand(async (scope, _caller, secrets: readonly RotatedSecret[]): Promise<readonly string[]> => {
    const rotated: string[] = [];
    for (const { name, before, after } of secrets) {
      const { numUpdatedRows } = await scope.db
        .updateTable('secrets')
        .set(columnsOf(after))
        .where('name', '=', name)
        .where('value', '=', before.value)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) continue;
      rotated.push(name);
      scope.note({ object: objectOf(name), changes: ['encryption'] });
    }
    return rotated;
  }),
});

/** What callers in other threads get. */
export type SecretCommands = typeof secretCommands;

async function storeSecret(
  scope: RecordScope,
  caller: Caller,
  name: string,
  sealed: SealedSecret,
): Promise<StoredSecret> {
  const user_id = caller.kind === 'user' ? caller.rowId : null;
  const values = { ...columnsOf(sealed), user_id, updated_at_us: scope.nowUs };
  const row = await scope.db
    .insertInto('secrets')
    .values({ name, ...values, created_at_us: scope.nowUs })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
    .returning(SECRET_COLUMNS)
    .executeTakeFirstOrThrow();
  scope.note({ object: objectOf(name), changes: ['value'] });
  return toStoredSecret(row);
}

async function deleteSecret(scope: RecordScope, name: string): Promise<void> {
  const { numDeletedRows } = await scope.db.deleteFrom('secrets').where('name', '=', name).executeTakeFirst();
  if (numDeletedRows > 0n) scope.note({ object: objectOf(name), changes: ['deleted'] });
}

function columnsOf({ value, keyId }: SealedSecret) {
  return { value, key_id: keyId };
}

function objectOf(name: string) {
  return { type: 'Secret', id: name, name };
}
