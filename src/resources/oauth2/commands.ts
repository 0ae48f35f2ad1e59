/**
 * Changes of applications and of what people let them do. A grant is a sign-in that an application holds, so what ends sign-ins ends grants:
 * signing out, a new password, another role, the end of the account.
 */
import { timingSafeEqual } from 'node:crypto';
import { AppError } from '#base/errors';
import { addSignIn, type NewTokens, renewSignIn, type SignInTimes, type TokenTimes } from '#credentials/sign-ins';
import { type Application, assertMayLetIn, type Authorization, NO_GRANT } from '#domain/application';
import type { Audience } from '#domain/caller';
import { defineCommands, type RecordScope, recordCommand } from '#store/commands/command';
import { keepRows } from '#store/records/keep-rows';
import { assertRoomForApplication, purgeApplications } from './commands/applications.ts';
import { oauth2Policy } from './policy.ts';

/** An application that registers itself. */
export interface NewApplication extends Application {
  /** The network that it comes from. */
  readonly from: string;
}

/** A code that an application shows, with what proves that it asked for it. */
export interface ShownCode {
  readonly codeHash: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** Made of the verifier. */
  readonly challenge: string;
  /** `null` where the application names none again. */
  readonly audience: Audience | null;
  readonly tokens: NewTokens;
  readonly times: SignInTimes;
}

/** A refresh token that an application shows. */
export interface ShownRefreshToken {
  readonly refreshHash: string;
  readonly clientId: string;
  readonly audience: Audience | null;
  readonly tokens: NewTokens;
  readonly times: SignInTimes;
}

/** Why there are no tokens: `target` where they are meant for something else, `replayed` where they were given before. */
export type NoTokens = 'invalid' | 'target' | 'replayed';

/** The commands. */
export const oauth2Commands = defineCommands(oauth2Policy, {
  /** @throws AppError `resource_exhausted` for too many that nobody has let in */
  register: recordCommand(async (scope, _caller, { from, ...application }: NewApplication): Promise<void> => {
    await scope.lock('oauth2_clients');
    await purgeApplications(scope);
    await assertRoomForApplication(scope, from);
    await scope.db
      .insertInto('oauth2_clients')
      .values({
        client_id: application.clientId,
        name: application.name,
        redirect_uris: JSON.stringify(application.redirectUris),
        registered_from: from,
        created_at_us: scope.nowUs,
        last_used_at_us: null,
      })
      .execute();
  }),

  /**
   * Lets an application in: it can exchange the code for tokens, once.
   * @throws AppError `permission_denied` for callers who did not sign in with a browser, `unauthenticated` where that has ended
   */
  approve: recordCommand(
    async (
      scope,
      caller,
      { codeHash, ...authorization }: Authorization & { readonly codeHash: string },
    ): Promise<void> => {
      const { db, nowUs } = scope;
      const { application, redirectUri, challenge, audience } = authorization;
      const signInRowId = assertMayLetIn(caller);
      if ((await keepRows(scope, 'sign_ins', [signInRowId])).length === 0) {
        throw new AppError('unauthenticated', 'Your session has ended: sign in again.');
      }
      await db.deleteFrom('oauth2_codes').where('expires_at_us', '<=', nowUs).execute();
      await db
        .updateTable('oauth2_clients')
        .set({ last_used_at_us: nowUs })
        .where('client_id', '=', application.clientId)
        .execute();
      await db
        .insertInto('oauth2_codes')
        .values({
          hash: codeHash,
          sign_in_id: signInRowId,
          client_id: application.clientId,
          client_name: application.name,
          redirect_uri: redirectUri,
          challenge,
          audience,
          expires_at_us: nowUs + CODE_US,
        })
        .execute();
      noteApplication(scope, application);
    },
  ),

  /** Leaves a trace of an application that was not let in. */
  deny: recordCommand(async (scope, _caller, application: Application): Promise<void> => {
    noteApplication(scope, application);
  }),

  /** Exchanges a code for tokens. What is refused does not use it up. */
  exchange: recordCommand(async (scope, _caller, shown: ShownCode): Promise<TokenTimes | NoTokens> => {
    const { db, dialect, nowUs } = scope;
    const code = await findCode(scope, shown.codeHash);
    if (code === undefined) return (await isReplay(scope, shown)) ? 'replayed' : 'invalid';
    const isRight =
      code.clientId === shown.clientId &&
      code.redirectUri === shown.redirectUri &&
      isSame(code.challenge, shown.challenge);
    if (!isRight || code.expiresAtUs <= nowUs || code.endsAtUs <= nowUs) return 'invalid';
    if (shown.audience !== null && shown.audience !== code.audience) return 'target';
    // Whatever ends the person's sign-ins waits until the grant is there, and takes it along.
    await dialect.lockRows(db, { table: 'users', rowIds: dialect.numbersOf([code.userRowId]), isShared: false });
    const spent = db.deleteFrom('oauth2_codes').where('hash', '=', shown.codeHash).returning('hash');
    if ((await spent.executeTakeFirst()) === undefined) return (await isReplay(scope, shown)) ? 'replayed' : 'invalid';
    const given = await addSignIn(scope, code.userRowId, shown.tokens, shown.times);
    const rowId = await signInOfToken(scope, shown.tokens.accessHash);
    await db
      .insertInto('oauth2_grants')
      .values({
        sign_in_id: rowId,
        client_id: code.clientId,
        client_name: code.clientName,
        audience: code.audience,
        code_hash: shown.codeHash,
        challenge: code.challenge,
        last_used_at_us: nowUs,
      })
      .execute();
    return given;
  }),

  /** Spends a refresh token for new tokens. What is refused does not use it up. */
  refresh: recordCommand(async (scope, _caller, shown: ShownRefreshToken): Promise<TokenTimes | NoTokens> => {
    const { db, nowUs } = scope;
    const grant = await findGrantOfToken(scope, shown.refreshHash);
    if (grant?.kind !== 'refresh' || grant.clientId !== shown.clientId) return 'invalid';
    if (shown.audience !== null && shown.audience !== grant.audience) return 'target';
    const renewed = await renewSignIn(scope, shown.refreshHash, shown.tokens, shown.times);
    if (renewed === 'ended') return 'invalid';
    if (renewed === 'reused') return 'replayed';
    await db
      .updateTable('oauth2_grants')
      .set({ last_used_at_us: nowUs })
      .where('sign_in_id', '=', grant.rowId)
      .execute();
    return renewed;
  }),

  /** Ends a grant, a code or a refresh token of which was used a second time: somebody has a copy. */
  endReplayed: recordCommand(
    async (scope, _caller, replayed: Pick<ShownCode, 'codeHash'> | Pick<ShownRefreshToken, 'refreshHash'>) => {
      const grant =
        'codeHash' in replayed
          ? await findGrantOfCode(scope, replayed.codeHash)
          : await findGrantOfToken(scope, replayed.refreshHash);
      if (grant !== undefined) await endGrant(scope, grant);
    },
  ),

  /** Ends the grant of a token that an application gives up; any other text is passed over. */
  revokeToken: recordCommand(
    async (scope, _caller, { hash, clientId }: { hash: string; clientId: string | null }): Promise<void> => {
      const grant = await findGrantOfToken(scope, hash);
      if (grant === undefined || (clientId !== null && clientId !== grant.clientId)) return;
      await endGrant(scope, grant);
    },
  ),

  /** A grant of the caller, or of anybody where an administrator asks. @throws AppError `not_found` */
  revoke: recordCommand(async (scope, caller, rowId: number): Promise<void> => {
    if (caller.kind === 'system_key') {
      throw new AppError('permission_denied', 'System API keys cannot revoke the applications of people');
    }
    const grant = await selectGrant(scope).where('grants.sign_in_id', '=', rowId).executeTakeFirst();
    const isOwn = caller.kind === 'user' && caller.rowId === grant?.userRowId;
    if (grant === undefined || (!isOwn && caller.role !== 'admin')) throw new AppError('not_found', NO_GRANT);
    await endGrant(scope, grant);
  }),
});

/** What callers in other threads get. */
export type Oauth2Commands = typeof oauth2Commands;

/** How long a code is good. */
const CODE_US = 5 * 60 * 1e6;

function noteApplication(scope: RecordScope, { clientId, name }: Application): void {
  scope.note({ object: { type: 'OAuth2Client', id: clientId, name } });
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

function findCode({ db }: RecordScope, hash: string) {
  return db
    .selectFrom('oauth2_codes as codes')
    .innerJoin('sign_ins', 'sign_ins.id', 'codes.sign_in_id')
    .select([
      'codes.client_id as clientId',
      'codes.client_name as clientName',
      'codes.redirect_uri as redirectUri',
      'codes.challenge',
      'codes.audience',
      'codes.expires_at_us as expiresAtUs',
      'sign_ins.user_id as userRowId',
      'sign_ins.expires_at_us as endsAtUs',
    ])
    .where('codes.hash', '=', hash)
    .executeTakeFirst();
}

/** Whether the code was exchanged before. Who does not know the verifier cannot end a grant with a code alone. */
async function isReplay(scope: RecordScope, { codeHash, clientId, challenge }: ShownCode): Promise<boolean> {
  const grant = await findGrantOfCode(scope, codeHash);
  return grant !== undefined && grant.clientId === clientId && isSame(grant.challenge, challenge);
}

async function signInOfToken({ db }: RecordScope, hash: string): Promise<number> {
  const query = db.selectFrom('sign_in_tokens').select('sign_in_id').where('hash', '=', hash);
  return (await query.executeTakeFirstOrThrow()).sign_in_id;
}

function selectGrant({ db }: RecordScope) {
  return db
    .selectFrom('oauth2_grants as grants')
    .innerJoin('sign_ins', 'sign_ins.id', 'grants.sign_in_id')
    .select([
      'grants.sign_in_id as rowId',
      'grants.client_id as clientId',
      'grants.client_name as clientName',
      'grants.audience',
      'grants.challenge',
      'sign_ins.user_id as userRowId',
    ]);
}

function findGrantOfCode(scope: RecordScope, codeHash: string) {
  return selectGrant(scope).where('grants.code_hash', '=', codeHash).executeTakeFirst();
}

function findGrantOfToken(scope: RecordScope, hash: string) {
  return selectGrant(scope)
    .innerJoin('sign_in_tokens as token', 'token.sign_in_id', 'grants.sign_in_id')
    .select('token.kind')
    .where('token.hash', '=', hash)
    .executeTakeFirst();
}

async function endGrant(
  scope: RecordScope,
  { rowId, clientName }: { readonly rowId: number; readonly clientName: string },
): Promise<void> {
  await scope.db.deleteFrom('sign_ins').where('id', '=', rowId).execute();
  scope.note({ object: { type: 'OAuth2Grant', id: rowId, name: clientName } });
}
