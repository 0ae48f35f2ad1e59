/** Accounts of people: what is said of them, and the rules of names and passwords. */
import { AppError } from '#base/errors';
import { type Caller, limitsOf, mustChangePassword, type Role, userRowIdOf } from './caller.ts';

/** The role that an account has. One account has the role SYSTEM: the server's own, which nobody can sign in with. */
export type AccountRole = 'SYSTEM' | 'ADMIN' | 'MEMBER' | 'VIEWER';

/** The roles that people can have. */
export type PersonRole = Exclude<AccountRole, 'SYSTEM'>;

/** What people with a role may do as callers. */
export const CALLER_ROLES = { ADMIN: 'admin', MEMBER: 'member', VIEWER: 'viewer' } as const satisfies Readonly<
  Record<PersonRole, Role>
>;

/** How an account signs in. */
export type AuthMethod = 'LOCAL' | 'OAUTH2' | 'LDAP';

/** An account, without what proves who somebody is. */
export interface Account {
  readonly rowId: number;
  readonly username: string;
  /** `null` for accounts of a directory without e-mail. */
  readonly email: string | null;
  readonly role: AccountRole;
  readonly authMethod: AuthMethod;
  /** Whether a new password must be chosen before anything else. */
  readonly passwordNeedsReset: boolean;
  readonly profilePictureUrl: string | null;
  readonly oauth2ClientId: string | null;
  readonly oauth2UserId: string | null;
  readonly createdAtUs: number;
  readonly updatedAtUs: number;
}

/** The server's own account, which keys of the system and the administrator's secret act for. */
export const SYSTEM_ACCOUNT = { username: 'system', email: 'system@localhost' } as const;

/** The first administrator, whom nobody can delete or give another role. */
export const BUILT_IN_ADMIN = { username: 'admin', email: 'admin@localhost' } as const;

/** Whether an account is the built-in administrator. Nobody else can have that address: it has no domain. */
export function isBuiltInAdmin({ email }: { readonly email: string | null }): boolean {
  return email === BUILT_IN_ADMIN.email;
}

/**
 * Whether a caller may see the private fields of an account, such as its e-mail and its keys: its owner and administrators may. Ask it in each
 * field, wherever the account was reached from. Administrators who must choose a password, and their narrowed keys, see themselves.
 */
export function maySeeAccount(caller: Caller, { rowId, role }: Pick<Account, 'rowId' | 'role'>): boolean {
  if (userRowIdOf(caller) === rowId || (caller.kind === 'system_key' && role === 'SYSTEM')) return true;
  return caller.role === 'admin' && !mustChangePassword(caller) && limitsOf(caller) === null;
}

/** @throws AppError `permission_denied` where {@link maySeeAccount} says no */
export function assertMaySeeAccount(caller: Caller, account: Pick<Account, 'rowId' | 'role'>): void {
  if (maySeeAccount(caller, account)) return;
  throw new AppError('permission_denied', 'You are not authorized to see this of another user.');
}

/** A username as it is stored. @throws AppError `invalid_argument` */
export function checkUsername(text: string): string {
  const username = text.trim();
  if (username === '' || username.length > MAX_USERNAME_LENGTH) {
    throw new AppError(
      'invalid_argument',
      `A username needs at least one and at most ${MAX_USERNAME_LENGTH} characters.`,
    );
  }
  if (!isPrintable(username)) {
    throw new AppError('invalid_argument', 'A username cannot have control characters or direction marks.');
  }
  return username;
}

/** An e-mail address as it is stored and compared. @throws AppError `invalid_argument` */
export function checkEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) && isPrintable(email)) return email;
  throw new AppError('invalid_argument', 'This is not an e-mail address: write one such as user@example.com.');
}

/** What addresses are compared by. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase();
}

/**
 * Refuses a new password that breaks rules, with all of them.
 * @param isStrong whether the strong policy holds
 * @throws AppError `invalid_argument`
 */
export function assertPassword(password: string, isStrong: boolean): void {
  const rules = isStrong ? [...STRONG_RULES, ...SHARED_RULES] : [...WEAK_RULES, ...SHARED_RULES];
  const broken = rules.filter(({ pattern }) => !pattern.test(password)).map(({ needs }) => needs);
  if (broken.length === 0) return;
  throw new AppError('invalid_argument', `A password needs ${listOf(broken)}.`);
}

/** Whether a text has no characters that hide in it or turn it around. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

/** A username made of what others call somebody; `null` where nothing is left of it. */
export function toUsername(text: string): string | null {
  const username = text.replaceAll(new RegExp(UNPRINTABLE, 'gu'), '').trim().slice(0, MAX_USERNAME_LENGTH).trim();
  return username === '' ? null : username.toWellFormed();
}

const MAX_USERNAME_LENGTH = 200;

/** Longest e-mail address. */
export const MAX_EMAIL_LENGTH = 254;

/** Something before the @, and a domain of two names or more after it. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;

interface PasswordRule {
  readonly pattern: RegExp;
  readonly needs: string;
}

const WEAK_RULES: readonly PasswordRule[] = [{ pattern: /^.{4,}$/s, needs: 'at least 4 characters' }];

const STRONG_RULES: readonly PasswordRule[] = [
  { pattern: /^.{12,}$/s, needs: 'at least 12 characters' },
  { pattern: /[A-Z]/, needs: 'an upper-case letter' },
  { pattern: /[a-z]/, needs: 'a lower-case letter' },
  { pattern: /[0-9]/, needs: 'a digit' },
  { pattern: /[!@#$%^&*()_+]/, needs: 'one of !@#$%^&*()_+' },
];

/** Long enough for any phrase, and short enough to be sent about. */
const SHARED_RULES: readonly PasswordRule[] = [
  { pattern: /^.{0,1024}$/s, needs: 'at most 1024 characters' },
  { pattern: /^\S*$/, needs: 'no white space' },
  { pattern: /^[\s\x21-\x7e]*$/, needs: 'only letters, digits and signs of ASCII' },
];

function listOf(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
