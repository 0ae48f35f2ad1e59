/** Which account somebody has who comes from a provider, and what becomes of it. */
import { randomInt } from 'node:crypto';
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import { CALLER_ROLES, type PersonRole, toUsername } from '#domain/account';
import type { Role } from '#domain/caller';
import type { ProvenIdentity, ProvenRole, ProviderRefusalCode } from '#domain/provider-sign-in';
import type { RecordScope } from '#store/commands/command';
import type { Tables } from '#store/schema/tables';
import { findBound, findByEmail, findPrepared, isNameTaken, type KnownAccount } from '../queries.ts';

/** Somebody who comes from a provider. */
export interface Arrival {
  readonly provider: {
    readonly clientId: string;
    /** Whether the client id names the provider: see `IdentityProviders.isOnlyWithClientOf`. */
    readonly isOnlyWithClient: boolean;
    readonly allowsSignUp: boolean;
  };
  readonly identity: ProvenIdentity;
  readonly role: ProvenRole;
}

/** The account that they sign in to, as it is from now on. */
export interface Admitted {
  readonly rowId: number;
  readonly username: string;
  readonly role: Role;
}

/** Why there is none. */
export interface NotAdmitted {
  readonly refused: Extract<ProviderRefusalCode, 'email_in_use' | 'missing_email_scope' | 'sign_in_not_allowed'>;
  /** For the log. */
  readonly reason: string;
}

/**
 * The account that is theirs, or that was prepared for them. `null` where they may have a new one. An account is theirs by issuer and
 * subject alone; the address only leads to one that an administrator prepared and nobody has signed in to.
 */
export async function findOwnAccount(
  db: Kysely<Tables>,
  { provider, identity }: Arrival,
): Promise<KnownAccount | NotAdmitted | null> {
  const bound = await findBound(db, identity);
  if (bound !== undefined) return bound;
  const { clientId, isOnlyWithClient, allowsSignUp } = provider;
  const { subject, email, isEmailTrusted } = identity;
  // The same subject may be prepared for two people by mistake: it is neither's then.
  const [prepared, another] = isOnlyWithClient ? await findPrepared(db, { clientId, subject }) : [];
  if (prepared !== undefined && another === undefined) return prepared;
  const byEmail = await findByEmail(db, email);
  if (byEmail === undefined) {
    return allowsSignUp ? null : refuse('sign_in_not_allowed', `${email} has no account, and sign-up is off.`);
  }
  const obstacle = obstacleTo(byEmail, clientId, isEmailTrusted);
  if (obstacle === null) return byEmail;
  return refuse(allowsSignUp ? 'email_in_use' : 'sign_in_not_allowed', `${email} belongs to an account ${obstacle}.`);
}

/** Why an account is not given to somebody who has its address; `null` where it is. */
function obstacleTo(
  { authMethod, issuer, subject, clientId }: KnownAccount,
  ofProvider: string,
  isEmailTrusted: boolean,
): string | null {
  if (authMethod !== 'OAUTH2') return `that signs in in another way (${authMethod})`;
  if (issuer !== null || subject !== null) return 'that belongs to somebody else at a provider';
  if (clientId !== null && clientId !== ofProvider) return 'that was prepared for another client';
  return isEmailTrusted ? null : 'that was prepared, and the provider does not say that it verified the address';
}

function refuse(refused: NotAdmitted['refused'], reason: string): NotAdmitted {
  return { refused, reason };
}

/** Makes an account, whose address nobody has. */
export async function createAccount(
  scope: RecordScope,
  { provider, identity, role }: Arrival,
): Promise<Admitted | NotAdmitted> {
  // Whoever owns the address would find it taken.
  if (!identity.isEmailTrusted)
    return refuse('missing_email_scope', 'the provider does not say that it verified the address');
  const { db, nowUs } = scope;
  const { issuer, subject, email, name, pictureUrl } = identity;
  const username = await findFreeName(db, toUsername(name ?? '') ?? toUsername(email.split('@')[0] ?? '') ?? 'user');
  const { id } = await db
    .insertInto('users')
    .values({
      username,
      email,
      role: role.ofNew,
      auth_method: 'OAUTH2',
      profile_picture_url: pictureUrl,
      oauth2_issuer: issuer,
      oauth2_client_id: provider.clientId,
      oauth2_user_id: subject,
      created_at_us: nowUs,
      updated_at_us: nowUs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  noteAccount(scope, { rowId: id, username }, ['username', 'email', 'role', 'auth_method']);
  return { rowId: id, username, role: CALLER_ROLES[role.ofNew] };
}

/** Has an account follow the provider. It keeps its name, which is for people here. */
export async function updateAccount(
  scope: RecordScope,
  account: KnownAccount,
  { provider, identity, role: proven }: Arrival,
): Promise<Admitted | NotAdmitted> {
  const { db, nowUs } = scope;
  const { rowId, username } = account;
  const role = proven.ofExisting ?? personRole(account);
  // An address that the provider does not vouch for takes the place of none.
  const email = identity.isEmailTrusted ? identity.email : account.email;
  if (email !== account.email && email !== null && (await findByEmail(db, email)) !== undefined) {
    return refuse('email_in_use', `${account.email} is ${email} at the provider now, which another account has.`);
  }
  const { issuer, subject, pictureUrl } = identity;
  const changes = [
    ...(account.issuer === null ? ['identity'] : []),
    ...(email === account.email ? [] : ['email']),
    ...(role === account.role ? [] : ['role']),
    ...(pictureUrl === account.pictureUrl ? [] : ['profile_picture_url']),
  ];
  if (changes.length > 0) {
    await db
      .updateTable('users')
      .set({
        email,
        role,
        profile_picture_url: pictureUrl,
        oauth2_issuer: issuer,
        oauth2_client_id: account.issuer === null ? provider.clientId : account.clientId,
        oauth2_user_id: subject,
        updated_at_us: nowUs,
      })
      .where('id', '=', rowId)
      .execute();
    noteAccount(scope, account, changes);
  }
  return { rowId, username, role: CALLER_ROLES[role] };
}

/** The system's account has a password, so that no provider leads to it. */
function personRole({ role }: KnownAccount): PersonRole {
  if (role === 'SYSTEM') throw new Error('The account of the system signs in with no provider.');
  return role;
}

/** The name, or one with a number after it. */
async function findFreeName(db: Kysely<Tables>, wanted: string): Promise<string> {
  if (!(await isNameTaken(db, wanted))) return wanted;
  for (let attempt = 0; attempt < MAX_NAMES; attempt++) {
    const name = toUsername(`${wanted.slice(0, MAX_WANTED)} ${randomInt(10_000, 100_000)}`) ?? wanted;
    if (!(await isNameTaken(db, name))) return name;
  }
  throw new AppError('unavailable', 'No free username was found. Try again.');
}

const MAX_NAMES = 20;

/** Leaves room for a number. */
const MAX_WANTED = 190;

function noteAccount(
  scope: RecordScope,
  { rowId, username }: Pick<KnownAccount, 'rowId' | 'username'>,
  changes: readonly string[],
) {
  scope.note({ object: { type: 'User', id: rowId, name: username }, changes });
}
