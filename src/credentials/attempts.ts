/**
 * Attempts to show that one knows a password. Each is counted before the password is looked at, so that no more are made at once than
 * may be made one after the other, and is forgotten when it succeeds. Too many lock what they were counted for.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { RecordScope } from '#store/commands/command';
import type { Tables } from '#store/schema/tables';

/** Whether an attempt may be made. */
export type CountedAttempt =
  /** `isLast` for the one that locks unless it succeeds. */
  { readonly kind: 'counted'; readonly isLast: boolean } | Locked;

/** None may be made until that time. */
export interface Locked {
  readonly kind: 'locked';
  readonly untilUs: number;
}

/** Attempts with an e-mail address, by anybody. A digest, for people mistake one field for the other. */
export function emailSubject(email: string): string {
  return `email:${createHash('sha256').update(email).digest('base64url')}`;
}

/** Attempts to sign in to an account with a browser that was signed in to it before. */
export function browserSubject(userRowId: number, cookieHash: string): string {
  return `${browsersOf(userRowId)}${cookieHash}`;
}

/** Attempts of somebody who is signed in to confirm the password: strangers cannot lock those. */
export function viewerSubject(userRowId: number): string {
  return `viewer:${userRowId}`;
}

/** Counts an attempt, of those that lock when there are `maximum` of them. */
export async function countAttempt(
  { db, nowUs, lock }: Pick<RecordScope, 'db' | 'nowUs' | 'lock'>,
  subject: string,
  maximum: number,
): Promise<CountedAttempt> {
  await lock(`attempts ${subject}`);
  const before = await findAttempts(db, subject);
  const lockedUntilUs = before?.locked_until_us ?? 0;
  if (lockedUntilUs > nowUs) return { kind: 'locked', untilUs: lockedUntilUs };
  const isContinued = lockedUntilUs === 0 && before !== undefined && before.last_attempt_us > nowUs - FORGET_AFTER_US;
  const count = (isContinued ? before.attempt_count : 0) + 1;
  const isLast = count >= maximum;
  const row = { attempt_count: count, last_attempt_us: nowUs, locked_until_us: isLast ? nowUs + LOCKED_US : 0 };
  await db
    .insertInto('sign_in_attempts')
    .values({ subject, ...row })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
    .execute();
  return { kind: 'counted', isLast };
}

/** Takes an attempt back that came to nothing because the server failed. */
export async function takeBackAttempt({ db, lock }: Pick<RecordScope, 'db' | 'lock'>, subject: string): Promise<void> {
  await lock(`attempts ${subject}`);
  const row = await findAttempts(db, subject);
  if (row === undefined || row.attempt_count <= 1) return forgetAttempts(db, subject);
  await db
    .updateTable('sign_in_attempts')
    .set({ attempt_count: row.attempt_count - 1, locked_until_us: 0 })
    .where('subject', '=', subject)
    .execute();
}

/** Moves the time of the last attempt to where it came to nothing. */
export async function touchAttempts({ db, nowUs }: Pick<RecordScope, 'db' | 'nowUs'>, subject: string): Promise<void> {
  await db.updateTable('sign_in_attempts').set({ last_attempt_us: nowUs }).where('subject', '=', subject).execute();
}

/** Forgets attempts of which the last succeeded. */
export async function forgetAttempts(db: Kysely<Tables>, subject: string): Promise<void> {
  await db.deleteFrom('sign_in_attempts').where('subject', '=', subject).execute();
}

/** Whether no attempt may be made now. Only a refusal may rely on it: what may be made is decided by counting. */
export async function findLock(db: Kysely<Tables>, subject: string, nowUs: number): Promise<Locked | null> {
  const untilUs = (await findAttempts(db, subject))?.locked_until_us ?? 0;
  return untilUs > nowUs ? { kind: 'locked', untilUs } : null;
}

/** An account, as it is locked. */
export interface LockableAccount {
  readonly rowId: number;
  readonly email: string | null;
}

/** Forgets all attempts with an account; whether it was locked. For administrators, and for everybody who sets its password. */
export async function unlockAccount(
  { db, nowUs }: Pick<RecordScope, 'db' | 'nowUs'>,
  { rowId, email }: LockableAccount,
): Promise<boolean> {
  const browsers = browsersOf(rowId);
  const subjects = [viewerSubject(rowId), ...(email === null ? [] : [emailSubject(email)])];
  const deleted = await db
    .deleteFrom('sign_in_attempts')
    .where((eb) =>
      eb.or([
        eb('subject', 'in', subjects),
        eb.and([eb('subject', '>=', browsers), eb('subject', '<', `${browsers.slice(0, -1)};`)]),
      ]),
    )
    .returning('locked_until_us')
    .execute();
  return deleted.some(({ locked_until_us: untilUs }) => untilUs > nowUs);
}

/** Which of the accounts strangers can make no more attempts with. */
export async function listLocked(
  { db, dialect }: Pick<RecordScope, 'db' | 'dialect'>,
  accounts: readonly LockableAccount[],
  nowUs: number,
): Promise<ReadonlySet<number>> {
  const subjects = new Map(accounts.map(({ rowId, email }) => [email === null ? '' : emailSubject(email), rowId]));
  const rows = await db
    .selectFrom('sign_in_attempts')
    .select('subject')
    .where('subject', 'in', dialect.textsOf([...subjects.keys()]))
    .where('locked_until_us', '>', nowUs)
    .execute();
  return new Set(rows.flatMap(({ subject }) => subjects.get(subject) ?? []));
}

/** Deletes some attempts that no longer count. Index: `sign_in_attempts_by_time`. */
export async function deleteOldAttempts(
  { db, nowUs }: Pick<RecordScope, 'db' | 'nowUs'>,
  limit: number,
): Promise<void> {
  const old = db
    .selectFrom('sign_in_attempts')
    .select('subject')
    .where('last_attempt_us', '<=', nowUs - FORGET_AFTER_US)
    .orderBy('last_attempt_us')
    .limit(limit);
  await db.deleteFrom('sign_in_attempts').where('subject', 'in', old).execute();
}

/** How long an account is locked, in microseconds. */
const LOCKED_US = 5 * 60_000_000;

/** After so long without an attempt, those before do not count; longer than what is locked. */
const FORGET_AFTER_US = 15 * 60_000_000;

function browsersOf(userRowId: number): string {
  return `browser:${userRowId}:`;
}

function findAttempts(db: Kysely<Tables>, subject: string) {
  return db.selectFrom('sign_in_attempts').selectAll().where('subject', '=', subject).executeTakeFirst();
}
