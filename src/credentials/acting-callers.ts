/** Callers of the commands that requests without a caller lead to, as signing in. They keep the address of the request. */
import { type Caller, type Role, systemCaller } from '#domain/caller';

/** A person, in whose name a request acts from now on, or did until now: there is no sign-in to speak of. */
export function personCaller(
  { rowId, username, role }: { readonly rowId: number; readonly username: string; readonly role: Role },
  { address }: Caller,
): Caller {
  const credential = { kind: 'session', sessionRowId: 0, mustChangePassword: false } as const;
  return { kind: 'user', role, rowId, name: username, credential, ...(address !== undefined && { address }) };
}

/** The server itself, which counts and ends what it must. */
export function guardCaller({ address }: Caller): Caller {
  return { ...systemCaller('sign-in'), ...(address !== undefined && { address }) };
}
