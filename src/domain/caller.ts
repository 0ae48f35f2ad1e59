/** Who asks for an operation. */

/** What an account may do; each role includes the ones before it. */
export type Role = 'viewer' | 'member' | 'admin';

/** To what a key is narrowed; `null` where it is not. */
export interface KeyLimits {
  /** Reads alone, or sends telemetry alone. */
  readonly operations: 'read' | 'ingest' | null;
  /** The projects that it reaches, in ascending order of their row ids; empty where all of them were deleted. */
  readonly projects: readonly KeyProject[] | null;
}

/** A project that a key may use. */
export interface KeyProject {
  readonly rowId: number;
  readonly name: string;
}

/** What a person showed. */
export type UserCredential =
  /** A sign-in with a browser. While its password must be changed, nothing else can be done with it. */
  | { readonly kind: 'session'; readonly sessionRowId: number; readonly mustChangePassword: boolean }
  | {
      readonly kind: 'key';
      readonly keyRowId: number;
      /** Of the key. */
      readonly name: string;
      readonly limits: KeyLimits | null;
    }
  /** What an application holds that the person let in. */
  | { readonly kind: 'grant'; readonly sessionRowId: number; readonly clientName: string; readonly audience: Audience };

/** What an application's tokens are for: this server as a whole, or its tools for agents alone. */
export type Audience = 'server' | 'mcp';

/** The caller of an operation. While authentication is off, everybody is the anonymous administrator. */
export type Caller = (
  | { readonly kind: 'anonymous'; readonly role: 'admin' }
  /** Shows no credentials where they are asked for: may use only what is public. */
  | { readonly kind: 'nobody'; readonly role: null }
  /** A background job of the server itself. */
  | { readonly kind: 'system'; readonly role: 'admin'; readonly name: string }
  /** A person who signed in, or a key that acts for one. */
  | {
      readonly kind: 'user';
      readonly role: Role;
      /** Of the account. */
      readonly rowId: number;
      readonly name: string;
      readonly credential: UserCredential;
    }
  /** A key that belongs to no person: it writes what members write, as the system's account. */
  | {
      readonly kind: 'system_key';
      readonly role: 'member';
      /** Of the key. */
      readonly rowId: number;
      /** Of the system's account. */
      readonly accountRowId: number;
      readonly name: string;
      readonly limits: KeyLimits | null;
    }
  /** The secret of the administrator, from the settings; acts as the system's account. */
  | { readonly kind: 'admin_secret'; readonly role: 'admin'; readonly rowId: number }
) & {
  /** From where a request came, as far as proxies are trusted. */
  readonly address?: string;
};

/** The caller while nobody is asked for credentials. */
export const ANONYMOUS: Caller = { kind: 'anonymous', role: 'admin' };

/** The caller of everything public, where it does not matter who asks. */
export const NOBODY: Caller = { kind: 'nobody', role: null };

/** The caller of a background job. @param name of the job, as `retention` */
export function systemCaller(name: string): Caller {
  return { kind: 'system', role: 'admin', name };
}

/** To what the caller's key is narrowed; `null` for everybody whose credentials are not. */
export function limitsOf(caller: Caller): KeyLimits | null {
  if (caller.kind === 'system_key') return caller.limits;
  return keyOfPerson(caller)?.limits ?? null;
}

/** The key that a person acts by; `null` for everybody else. */
export function keyOfPerson(caller: Caller): Extract<UserCredential, { readonly kind: 'key' }> | null {
  return caller.kind === 'user' && caller.credential.kind === 'key' ? caller.credential : null;
}

/** The name of the application that acts for a person; `null` for everybody else. */
export function applicationOf(caller: Caller): string | null {
  return caller.kind === 'user' && caller.credential.kind === 'grant' ? caller.credential.clientName : null;
}

/** Whether nothing can be done but choosing a new password. */
export function mustChangePassword(caller: Caller): boolean {
  return caller.kind === 'user' && caller.credential.kind === 'session' && caller.credential.mustChangePassword;
}

/** The account that acts, for what records its maker; `null` where no person does. */
export function userRowIdOf(caller: Caller): number | null {
  return caller.kind === 'user' ? caller.rowId : null;
}

/**
 * A store, or anything else that reads or changes data, as one caller may use it. What serves requests is given stores in
 * this form alone, so an operation cannot leave out its caller, and what a caller may see of a store is decided where the
 * store is handed out.
 */
export type ForCaller<Store> = (caller: Caller) => Store;
