/** What can be done with stored secrets. Values are encrypted and decrypted here, and leave the server by no interface. */
import { AppError } from '#base/errors';
import type { Secret } from '#base/secret';
import type { SecretBox } from '#credentials/secret-box';
import type { Caller } from '#domain/caller';
import {
  faultOfSecretName,
  faultOfSecretValue,
  MAX_SECRETS,
  type RotatedSecret,
  type SecretChange,
  type SecretEntry,
} from '#domain/secret';
import type { ReadHandle, Services } from '../slice.ts';
import { findSecrets, listSecrets } from './queries.ts';

/**
 * What becomes of each name of a batch, values encrypted. The last entry of a name counts.
 * @throws AppError `invalid_argument` with every fault by its index; `failed_precondition` where there is no key to encrypt with
 */
export async function sealSecrets(box: SecretBox, entries: readonly SecretEntry[]): Promise<readonly SecretChange[]> {
  const trimmed = entries.map(({ name, value }) => ({
    name: name.trim(),
    value: value === null ? null : value.trim(),
  }));
  assertFaultless(trimmed);
  const wanted = new Map(trimmed.map(({ name, value }) => [name, value]));
  return Promise.all(
    [...wanted].map(async ([name, value]) => ({ name, sealed: value === null ? null : await box.seal(name, value) })),
  );
}

/** Names of what a batch deletes, also of what was not there. */
export function deletedNames(changes: readonly SecretChange[]): readonly string[] {
  return changes.filter(({ sealed }) => sealed === null).map(({ name }) => name);
}

function assertFaultless(entries: readonly SecretEntry[]): void {
  if (entries.length === 0 || entries.length > MAX_SECRETS) {
    throw new AppError('invalid_argument', `Send between 1 and ${MAX_SECRETS} secrets at once.`);
  }
  const faults = entries.flatMap(({ name, value }, index) =>
    [faultOfSecretName(name), value === null ? null : faultOfSecretValue(value)]
      .filter((fault) => fault !== null)
      .map((fault) => `secrets[${index}]: ${fault}`),
  );
  if (faults.length === 0) return;
  const told = faults.slice(0, MAX_TOLD);
  if (told.length < faults.length) told.push(`and ${faults.length - told.length} more.`);
  throw new AppError('invalid_argument', `Nothing was changed. ${told.join(' ')}`);
}

const MAX_TOLD = 100;

/** The one service of accounts that secrets need. */
export interface WithSecretBox {
  readonly auth: { readonly secretBox: SecretBox };
}

/** Secrets in use by the server: what is done with one on somebody's behalf is in the audit log. */
export interface SecretReader {
  /** The value, for the caller's sake; `null` where there is none of that name, or no key that opens it. */
  readSecret(caller: Caller, name: string): Promise<Secret | null>;
}

/** Reads for the server's own use. @param noteUse the command `use` */
export function secretReader(
  { readPrimary, auth }: Pick<Services, 'readPrimary'> & WithSecretBox,
  noteUse: (caller: Caller, name: string) => Promise<boolean>,
): SecretReader {
  return {
    readSecret: async (caller, name) => {
      const stored = (await findSecrets(readPrimary(caller), [name])).get(name);
      if (stored === undefined) return null;
      const value = await auth.secretBox.open(name, stored.sealed);
      return value !== null && (await noteUse(caller, name)) ? value : null;
    },
  };
}

/** How the keys of a server fit what is stored. */
export interface SecretSurvey {
  readonly readableCount: number;
  /** Those of them that are encrypted with another key than `SERVICE_SECRET` gives. */
  readonly outdatedCount: number;
  /** Names of those that no known key opens. */
  readonly unreadable: readonly string[];
}

/** Opens every secret, and makes no key. @param hasSecret whether there is a `SERVICE_SECRET` */
export async function surveySecrets(handle: ReadHandle, box: SecretBox, hasSecret: boolean): Promise<SecretSurvey> {
  const unreadable: string[] = [];
  let [readableCount, outdatedCount] = [0, 0];
  for (const { rowId: name, sealed } of await listAll(handle)) {
    if ((await box.open(name, sealed)) === null) unreadable.push(name);
    else {
      readableCount++;
      if (hasSecret && !(await box.isOfToday(sealed))) outdatedCount++;
    }
  }
  return { readableCount, outdatedCount, unreadable };
}

function listAll(handle: ReadHandle) {
  return listSecrets(handle, { names: null, after: null, limit: Number.MAX_SAFE_INTEGER });
}

/** What encrypting all secrets with today's key came to. */
export interface Rotation {
  readonly rotatedCount: number;
  /** Those that were encrypted with today's key already. */
  readonly currentCount: number;
  /** Names of those that no known key opens. */
  readonly unreadable: readonly string[];
}

/**
 * Encrypts all secrets with today's key that are encrypted with another, in one transaction. To do it again does no harm.
 * @param store the command `rotate`
 * @throws AppError `failed_precondition` where there is no key to encrypt with
 */
export async function rotateSecrets(
  caller: Caller,
  read: Services['readPrimary'],
  box: SecretBox,
  store: (caller: Caller, secrets: readonly RotatedSecret[]) => Promise<readonly string[]>,
): Promise<Rotation> {
  const all = await listAll(read(caller));
  const unreadable: string[] = [];
  const rotated: RotatedSecret[] = [];
  for (const { rowId: name, sealed: before } of all) {
    const value = await box.open(name, before);
    if (value === null) unreadable.push(name);
    else if (!(await box.isOfToday(before)))
      rotated.push({ name, before, after: await box.seal(name, value.reveal()) });
  }
  const done = rotated.length === 0 ? [] : await store(caller, rotated);
  return { rotatedCount: done.length, currentCount: all.length - rotated.length - unreadable.length, unreadable };
}
