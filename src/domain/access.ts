/** Who may do what: each resource lists its operations in a policy, and routes, fields and commands name entries of it. */
import { AppError } from '#base/errors';
import { type Caller, type KeyProject, limitsOf, mustChangePassword } from './caller.ts';

/**
 * What an operation demands of its caller:
 *
 * - `public`: nothing, even where credentials are demanded elsewhere.
 * - `identify`: any credentials, also those of an account that must choose a new password, and narrowed keys. For what a
 *   caller may learn of itself.
 * - `profile`: an account of one's own, also one that must choose a new password; no narrowed key. Refused while
 *   authentication is off.
 * - `read`: any role.
 * - `ingest`: to send telemetry: a member, or a key that is narrowed to it.
 * - `write`: a member.
 * - `own`: any role, for what belongs to the caller, as its keys; no narrowed key. Refused while authentication is off.
 * - `admin`: an administrator; anybody while authentication is off.
 * - `accounts`: an administrator; nobody while authentication is off.
 */
export type Access = 'public' | 'identify' | 'profile' | 'read' | 'ingest' | 'write' | 'own' | 'admin' | 'accounts';

/** A line of a policy: an access, or one with more to say. */
export type Rule = Access | { readonly access: Access; readonly within: 'project' };

declare const permission: unique symbol;

/** An operation and what it demands. Only {@link definePolicy} makes one, so every operation stands in a policy. */
export interface Permission {
  /** `<resource>.<operation>`, as `retention.create`; unique among all policies. */
  readonly operation: string;
  readonly access: Access;
  /**
   * `project` for an operation on one project, which checks by `assertInReach` that a key narrowed to projects may use it. Such
   * keys may use nothing else.
   */
  readonly within: 'project' | null;
  readonly [permission]: true;
  /** Whether it is refused while the data takes more space than it may. */
  readonly needsRoom?: true;
}

/** The policy of one resource: a line for each operation. */
export type Policy<Operation extends string = string> = Readonly<Record<Operation, Permission>>;

/** Declares the operations of a resource and who may use them. */
export function definePolicy<const Rules extends Readonly<Record<string, Rule>>>(
  resource: string,
  rules: Rules,
): Policy<keyof Rules & string> {
  const entries = Object.entries<Rule>(rules).map(([name, rule]) => [
    name,
    { operation: `${resource}.${name}`, ...(typeof rule === 'string' ? { access: rule, within: null } : rule) },
  ]);
  return Object.fromEntries(entries) as Policy<keyof Rules & string>;
}

/** Why a caller may not use an operation, for the caller to read; `null` where it may. */
export function refusalOf(caller: Caller, { access, within }: Pick<Permission, 'access' | 'within'>): string | null {
  if (access === 'public') return null;
  if (caller.kind === 'nobody') return NO_CREDENTIALS;
  if (access === 'identify') return null;
  if (mustChangePassword(caller) && access !== 'profile') return PASSWORD_PENDING;
  return refusalOfLimits(caller, access, within) ?? refusalOfRole(caller, access);
}

/**
 * Refuses callers who may not use an operation. The texts are those that scripts of Phoenix look for.
 * @throws AppError `unauthenticated` where nobody is known, `permission_denied` where the role does not suffice
 */
export function authorize(caller: Caller, permission: Permission): void {
  const refusal = refusalOf(caller, permission);
  if (refusal === null) return;
  throw new AppError(caller.kind === 'nobody' ? 'unauthenticated' : 'permission_denied', refusal);
}

/** Refuses callers who must choose a new password, for what `profile` lets them have but that. @throws AppError `permission_denied` */
export function assertPasswordIsChosen(caller: Caller): void {
  if (mustChangePassword(caller)) throw new AppError('permission_denied', PASSWORD_PENDING);
}

/** The row ids of the projects that the caller's key is limited to; `null` for everybody who reaches all. */
export function reachOf(caller: Caller): readonly number[] | null {
  return limitsOf(caller)?.projects?.map(({ rowId }) => rowId) ?? null;
}

/**
 * Lets a key limited to projects have these alone. One that is not there (`undefined`) is refused like any other, so that the
 * key learns of none.
 * @throws AppError `permission_denied`
 */
export function assertInReach(caller: Caller, projectRowId: number | undefined): void {
  const projects = limitsOf(caller)?.projects ?? null;
  if (projects === null || projects.some(({ rowId }) => rowId === projectRowId)) return;
  throw new AppError('permission_denied', describeProjectLimit(projects));
}

/** What a key limited to projects is told that wants another one. */
export function describeProjectLimit(projects: readonly KeyProject[]): string {
  if (projects.length === 0) return 'This key is limited to projects that were deleted.';
  const names = projects.slice(0, MAX_NAMED).map(({ name }) => JSON.stringify(name));
  const others = projects.length > MAX_NAMED ? ` and ${projects.length - MAX_NAMED} more` : '';
  return `This key is limited to ${projects.length === 1 ? 'the project' : 'the projects'} ${names.join(', ')}${others}.`;
}

const MAX_NAMED = 5;

/** What a viewer is told who sends anything that writes. */
export const VIEWERS_READ = 'Viewers cannot perform this action';

const NO_CREDENTIALS =
  'You are not authenticated: send an API key as `Authorization: Bearer <key>`, with Bearer before the key, or sign in.';
const PASSWORD_PENDING = 'Choose a new password first: until then, this account can do nothing else.';
const ADMINS_ONLY = 'Only admin can perform this action';
const OFF = 'Authentication is off: turn it on with SERVICE_ENABLE_AUTH to use accounts and keys.';

function refusalOfLimits(caller: Caller, access: Access, within: Permission['within']): string | null {
  const limits = limitsOf(caller);
  if (limits === null) return null;
  const { operations, projects } = limits;
  if (operations !== null && access !== operations)
    return `This key is limited to operations that ${VERBS[operations]}.`;
  if (access !== 'read' && access !== 'ingest' && access !== 'write')
    return 'A limited key cannot perform this action.';
  if (projects !== null && within !== 'project') {
    return 'This key is limited to some projects, and this operation is not about one project.';
  }
  return null;
}

const VERBS = { read: 'read', ingest: 'send telemetry' } as const;

function refusalOfRole(caller: Caller, access: Access): string | null {
  switch (access) {
    case 'profile':
    case 'own':
      return caller.kind === 'anonymous' ? OFF : null;
    case 'ingest':
    case 'write':
      return caller.role === 'viewer' ? VIEWERS_READ : null;
    case 'accounts':
      if (caller.kind === 'anonymous') return OFF;
      return caller.role === 'admin' ? null : ADMINS_ONLY;
    case 'admin':
      return caller.role === 'admin' ? null : ADMINS_ONLY;
    default:
      return null;
  }
}
