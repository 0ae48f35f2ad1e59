/** Reads stored secrets, encrypted as they are. */
import { faultOfSecretName, type SealedSecret } from '#domain/secret';
import type { ReadHandle } from '../slice.ts';

/** A stored secret. */
export interface StoredSecret {
  /** Its name, which its id is made of. */
  readonly rowId: string;
  readonly sealed: SealedSecret;
  /** Who said the value; `null` where no person did, or the account is deleted. */
  readonly userRowId: number | null;
  /** Microseconds since the Unix epoch. */
  readonly updatedAtUs: number;
}

/** Part of the list by name. */
export interface SecretPage {
  /** `null` for all of them. */
  readonly names: readonly string[] | null;
  readonly after: string | null;
  readonly limit: number;
}

/** By name. Index: primary key. */
export async function listSecrets(
  { db, dialect }: ReadHandle,
  { names, after, limit }: SecretPage,
): Promise<readonly StoredSecret[]> {
  let query = db.selectFrom('secrets').select(SECRET_COLUMNS).orderBy('name').limit(limit);
  if (names !== null) query = query.where('name', 'in', dialect.textsOf(names.filter(isSecretName)));
  if (after !== null) query = query.where('name', '>', after);
  return (await query.execute()).map(toStoredSecret);
}

/** Those of that name that there are. Index: primary key. */
export async function findSecrets(
  handle: ReadHandle,
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredSecret>> {
  const found = await listSecrets(handle, { names, after: null, limit: names.length });
  return new Map(found.map((secret) => [secret.rowId, secret]));
}

/** Whether a secret can be called so; other texts may hold what an engine does not take. */
export function isSecretName(name: string): boolean {
  return faultOfSecretName(name) === null;
}

/** What a secret is read from. */
export const SECRET_COLUMNS = ['name', 'value', 'key_id', 'user_id', 'updated_at_us'] as const;

/** The secret of such a row. */
export function toStoredSecret(row: {
  readonly name: string;
  readonly value: string;
  readonly key_id: string;
  readonly user_id: number | null;
  readonly updated_at_us: number;
}): StoredSecret {
  const { name, value, key_id: keyId, user_id: userRowId, updated_at_us: updatedAtUs } = row;
  return { rowId: name, sealed: { value, keyId }, userRowId, updatedAtUs };
}
