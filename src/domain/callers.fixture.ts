/** Callers for tests. */
import type { Caller, KeyLimits, Role } from './caller.ts';

/** Somebody who signed in with a role. */
export function userCaller(role: Role, rowId = 1): Caller {
  const credential = { kind: 'session', sessionRowId: 1, mustChangePassword: false } as const;
  return { kind: 'user', role, rowId, name: 'Ada', credential };
}

/** Somebody who has to choose a new password. */
export function pendingCaller(role: Role, rowId = 1): Caller {
  const credential = { kind: 'session', sessionRowId: 1, mustChangePassword: true } as const;
  return { kind: 'user', role, rowId, name: 'Ada', credential };
}

/** Somebody's key. */
export function keyCaller(role: Role, limits: KeyLimits | null = null, rowId = 1): Caller {
  return { kind: 'user', role, rowId, name: 'Ada', credential: { kind: 'key', keyRowId: 1, name: 'sender', limits } };
}

/** A key of the system. */
export function systemKeyCaller(limits: KeyLimits | null = null): Caller {
  return { kind: 'system_key', role: 'member', rowId: 1, accountRowId: 1, name: 'ci', limits };
}
