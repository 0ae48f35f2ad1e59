/** The keys of programs. */
import { AppError } from '#base/errors';
import { type Caller, type KeyLimits, type KeyProject, userRowIdOf } from './caller.ts';

/** A key, without the text that proves it: that nobody can read again. */
export interface ApiKey {
  readonly rowId: number;
  /** Whose it is; `null` for a key of the system. */
  readonly userRowId: number | null;
  /** Who made it; `null` where that account is gone, or the administrator's secret made it. */
  readonly makerRowId: number | null;
  readonly name: string;
  readonly description: string | null;
  /** See {@link KeyLimits}. */
  readonly operations: KeyLimits['operations'];
  readonly projects: readonly KeyProject[] | null;
  readonly createdAtUs: number;
  readonly expiresAtUs: number | null;
  /** To the minute. */
  readonly lastUsedAtUs: number | null;
}

/** A personal key and its owner. */
export interface OwnedApiKey extends ApiKey {
  readonly user: { readonly rowId: number; readonly name: string; readonly email: string | null };
}

/** What people say of a new key. */
export interface ApiKeyInput {
  readonly name: string;
  readonly description: string | null;
  /** May be past: the key is expired then. */
  readonly expiresAtUs: number | null;
  readonly operations: KeyLimits['operations'];
  /** `null` for all. */
  readonly projectRowIds: readonly number[] | null;
}

/** A key to be stored, of whose text only the hash is kept. */
export interface NewApiKey extends ApiKeyInput {
  readonly hash: string;
}

/** The values as they are stored; an empty description is none. @throws AppError `invalid_argument` with the first fault */
export function checkApiKey({ name, description, expiresAtUs, projectRowIds, ...rest }: ApiKeyInput): ApiKeyInput {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH) {
    throw new AppError('invalid_argument', `A key needs a name of at most ${MAX_NAME_LENGTH} characters.`);
  }
  if (UNPRINTABLE.test(trimmed)) {
    throw new AppError('invalid_argument', 'The name of a key cannot have control characters.');
  }
  if (description !== null && description.length > MAX_DESCRIPTION_LENGTH) {
    throw new AppError('invalid_argument', `A description has at most ${MAX_DESCRIPTION_LENGTH} characters.`);
  }
  if (expiresAtUs !== null && !Number.isSafeInteger(expiresAtUs)) {
    throw new AppError(
      'invalid_argument',
      'A key can expire from 1685 to 2254; leave the time out for a key that does not expire.',
    );
  }
  const projects = projectRowIds === null ? null : [...new Set(projectRowIds)];
  if (projects?.length === 0) {
    throw new AppError('invalid_argument', 'Name at least one project, or leave the projects out for all of them.');
  }
  if (projects !== null && projects.length > MAX_KEY_PROJECTS) {
    throw new AppError('invalid_argument', `A key is limited to at most ${MAX_KEY_PROJECTS} projects.`);
  }
  return { ...rest, name: trimmed, description: description?.trim() || null, expiresAtUs, projectRowIds: projects };
}

/**
 * Who makes a key: somebody who signed in, and of a key of the system also the administrator's secret. No key makes another,
 * or one that was stolen could not be revoked.
 * @throws AppError `permission_denied`
 */
export function assertMayIssue(caller: Caller, of: 'personal' | 'system'): { readonly makerRowId: number | null } {
  const isKey = caller.kind === 'system_key' || (caller.kind === 'user' && caller.credential.kind === 'key');
  if (isKey) throw new AppError('permission_denied', 'API keys cannot create API keys');
  if (caller.kind === 'user' && caller.credential.kind === 'grant') {
    throw new AppError('permission_denied', 'Applications cannot create API keys');
  }
  if (caller.kind !== 'user' && (of === 'personal' || caller.kind !== 'admin_secret')) {
    throw new AppError('permission_denied', 'Only people who signed in can create personal API keys');
  }
  return { makerRowId: userRowIdOf(caller) };
}

/** Keys of the system have nothing to do with those of people. @throws AppError `permission_denied` */
export function assertMayDeletePersonal(caller: Caller): void {
  if (caller.kind === 'system_key') {
    throw new AppError('permission_denied', 'System API keys cannot delete the keys of people');
  }
}

/** The same for a key that is not there, is somebody else's, or is one of the system. */
export const NO_KEY = 'API key not found';

/** The caller was deleted, and is still signed in. */
export const NO_ACCOUNT = 'This account no longer exists: sign in with another one.';

/** Projects that one key can be limited to: every request carries them. */
export const MAX_KEY_PROJECTS = 100;

const MAX_NAME_LENGTH = 200;

const MAX_DESCRIPTION_LENGTH = 10_000;

const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;
