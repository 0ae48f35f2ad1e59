/** Who may do what: each resource lists its operations in a policy, and routes, fields and commands name entries of it. */
import { AppError } from '#base/errors';
import type { Caller } from './caller.ts';

/** What an operation demands of its caller. `public` asks nothing, even where credentials are demanded elsewhere. */
export type Access = 'public' | 'read' | 'write' | 'admin';

declare const permission: unique symbol;

/** An operation and what it demands. Only {@link definePolicy} makes one, so every operation stands in a policy. */
export interface Permission {
  /** `<resource>.<operation>`, as `retention.create`; unique among all policies. */
  readonly operation: string;
  readonly access: Access;
  readonly [permission]: true;
}

/** The policy of one resource: a line for each operation. */
export type Policy<Operation extends string = string> = Readonly<Record<Operation, Permission>>;

/** Declares the operations of a resource and who may use them. */
export function definePolicy<const Rules extends Readonly<Record<string, Access>>>(
  resource: string,
  rules: Rules,
): Policy<keyof Rules & string> {
  const entries = Object.entries(rules).map(([name, access]) => [name, { operation: `${resource}.${name}`, access }]);
  return Object.fromEntries(entries) as Policy<keyof Rules & string>;
}

/** Whether the caller may use an operation that demands that access. */
export function isAllowed(caller: Caller, access: Access): boolean {
  switch (access) {
    case 'public':
      return true;
    case 'read':
      return caller.role !== null;
    case 'write':
      return caller.role === 'member' || caller.role === 'admin';
    case 'admin':
      return caller.role === 'admin';
  }
}

/**
 * Refuses callers who may not use an operation. The texts are those that scripts of Phoenix look for.
 * @throws AppError `unauthenticated` where nobody is known, `permission_denied` where the role does not suffice
 */
export function authorize(caller: Caller, { access }: Permission): void {
  if (isAllowed(caller, access)) return;
  if (caller.kind === 'nobody') {
    throw new AppError('unauthenticated', 'You are not authenticated: send credentials with the request.');
  }
  throw new AppError(
    'permission_denied',
    access === 'admin' ? 'Only admin can perform this action' : 'Viewers cannot perform this action',
  );
}
