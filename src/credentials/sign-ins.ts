/** Sign-ins of browsers and their tokens, as commands change them. Only digests of tokens are stored. */
import type { Kysely } from 'kysely';
import type { SignInConfig } from '#config/auth-config';
import type { RecordScope } from '#store/commands/command';
import { keepRows } from '#store/records/keep-rows';
import type { Tables } from '#store/schema/tables';

/** The digests of two new tokens. */
export interface NewTokens {
  readonly accessHash: string;
  readonly refreshHash: string;
}

/** How long tokens and sign-ins are good, in microseconds. */
export type SignInTimes = Pick<SignInConfig, 'accessTokenUs' | 'refreshTokenUs' | 'sessionUs'>;

/** For how long two tokens are good, in microseconds: never longer than their sign-in. */
export interface TokenTimes {
  readonly accessUs: number;
  readonly refreshUs: number;
}

type Scope = Pick<RecordScope, 'db' | 'dialect' | 'nowUs'>;

/** Adds a sign-in with its first tokens. The account must not change before the transaction ends. */
export async function addSignIn(
  { db, nowUs }: Scope,
  userRowId: number,
  tokens: NewTokens,
  times: SignInTimes,
): Promise<TokenTimes> {
  const endsAtUs = nowUs + times.sessionUs;
  const { id } = await db
    .insertInto('sign_ins')
    .values({ user_id: userRowId, created_at_us: nowUs, expires_at_us: endsAtUs })
    .returning('id')
    .executeTakeFirstOrThrow();
  return addTokens(db, { signInRowId: id, endsAtUs, nowUs }, tokens, times);
}

/**
 * Spends a refresh token for new tokens; the access token that came with it dies. `ended` where there is no such token, or no
 * longer; `reused` where it was spent before, which changes nothing here.
 */
export async function renewSignIn(
  scope: Scope,
  spentHash: string,
  tokens: NewTokens,
  times: SignInTimes,
): Promise<TokenTimes | 'ended' | 'reused'> {
  const { db, nowUs } = scope;
  const token = await findRefreshToken(db, spentHash);
  if (token === undefined) return 'ended';
  const { signInRowId, endsAtUs } = token;
  // Ending the sign-in waits until the new tokens are there, and takes them along.
  if ((await keepRows(scope, 'sign_ins', [signInRowId])).length === 0) return 'ended';
  if (token.spentAtUs !== null) return 'reused';
  if (token.expiresAtUs <= nowUs || endsAtUs <= nowUs) return 'ended';
  const spent = await db
    .updateTable('sign_in_tokens')
    .set({ spent_at_us: nowUs })
    .where('hash', '=', spentHash)
    .where('spent_at_us', 'is', null)
    .returning('hash')
    .executeTakeFirst();
  if (spent === undefined) return 'reused';
  await db
    .deleteFrom('sign_in_tokens')
    .where('sign_in_id', '=', signInRowId)
    .where((eb) => eb.or([eb('kind', '=', 'access'), eb('expires_at_us', '<=', nowUs)]))
    .execute();
  return addTokens(db, { signInRowId, endsAtUs, nowUs }, tokens, times);
}

/** Ends the sign-in of a refresh token that was spent; whose it was, or `undefined` where it has ended before. */
export async function endReusedSignIn({ db }: Scope, spentHash: string): Promise<number | undefined> {
  const token = await findRefreshToken(db, spentHash);
  if (token === undefined || token.spentAtUs === null) return undefined;
  const query = db.deleteFrom('sign_ins').where('id', '=', token.signInRowId).returning('user_id');
  return (await query.executeTakeFirst())?.user_id;
}

/**
 * Ends all sign-ins of an account. Where its password or role changes, change that first, in the same transaction: signing in waits
 * for it then, and finds it changed.
 */
export async function endSignIns(db: Kysely<Tables>, userRowId: number): Promise<void> {
  await db.deleteFrom('sign_ins').where('user_id', '=', userRowId).execute();
}

/** The same where the password changes: the link of a mail that was sent to choose one is of no use any more, either. */
export async function endAccessByPassword(db: Kysely<Tables>, userRowId: number): Promise<void> {
  await endSignIns(db, userRowId);
  await db.deleteFrom('password_reset_tokens').where('user_id', '=', userRowId).execute();
}

/** Deletes some sign-ins that have ended, with their tokens. Index: `sign_ins_by_expiry`. */
export async function deleteEndedSignIns({ db, nowUs }: Pick<Scope, 'db' | 'nowUs'>, limit: number): Promise<void> {
  const ended = db
    .selectFrom('sign_ins')
    .select('id')
    .where('expires_at_us', '<=', nowUs)
    .orderBy('expires_at_us')
    .limit(limit);
  await db.deleteFrom('sign_ins').where('id', 'in', ended).execute();
}

async function addTokens(
  db: Kysely<Tables>,
  of: { readonly signInRowId: number; readonly endsAtUs: number; readonly nowUs: number },
  { accessHash, refreshHash }: NewTokens,
  times: SignInTimes,
): Promise<TokenTimes> {
  const leftUs = of.endsAtUs - of.nowUs;
  const accessUs = Math.min(times.accessTokenUs, leftUs);
  const refreshUs = Math.min(times.refreshTokenUs, leftUs);
  const shared = { sign_in_id: of.signInRowId };
  await db
    .insertInto('sign_in_tokens')
    .values([
      { ...shared, kind: 'access', hash: accessHash, expires_at_us: of.nowUs + accessUs },
      { ...shared, kind: 'refresh', hash: refreshHash, expires_at_us: of.nowUs + refreshUs },
    ])
    .execute();
  return { accessUs, refreshUs };
}

function findRefreshToken(db: Kysely<Tables>, hash: string) {
  return db
    .selectFrom('sign_in_tokens as token')
    .innerJoin('sign_ins', 'sign_ins.id', 'token.sign_in_id')
    .select([
      'token.sign_in_id as signInRowId',
      'token.expires_at_us as expiresAtUs',
      'token.spent_at_us as spentAtUs',
      'sign_ins.expires_at_us as endsAtUs',
    ])
    .where('token.hash', '=', hash)
    .where('token.kind', '=', 'refresh')
    .executeTakeFirst();
}
