/** Who asks for an operation. */

/** What an account may do; each role includes the ones before it. */
export type Role = 'viewer' | 'member' | 'admin';

/** The caller of an operation. While authentication is off, everybody is the anonymous administrator. */
export type Caller =
  | { readonly kind: 'anonymous'; readonly role: 'admin' }
  /** Shows no credentials where they are asked for: may use only what is public. */
  | { readonly kind: 'nobody'; readonly role: null }
  /** A background job of the server itself. */
  | { readonly kind: 'system'; readonly role: 'admin'; readonly name: string }
  /** A person who signed in, or a key that acts for one. */
  | { readonly kind: 'user'; readonly role: Role; readonly rowId: number; readonly name: string }
  /** A key that belongs to no person. */
  | { readonly kind: 'system_key'; readonly role: Role; readonly rowId: number; readonly name: string }
  /** The secret of the administrator, from the settings. */
  | { readonly kind: 'admin_secret'; readonly role: 'admin' };

/** The caller while nobody is asked for credentials. */
export const ANONYMOUS: Caller = { kind: 'anonymous', role: 'admin' };

/** The caller of everything public, where it does not matter who asks. */
export const NOBODY: Caller = { kind: 'nobody', role: null };

/** The caller of a background job. @param name of the job, as `retention` */
export function systemCaller(name: string): Caller {
  return { kind: 'system', role: 'admin', name };
}

/**
 * A store, or anything else that reads or changes data, as one caller may use it. What serves requests is given stores in
 * this form alone, so an operation cannot leave out its caller, and what a caller may see of a store is decided where the
 * store is handed out.
 */
export type ForCaller<Store> = (caller: Caller) => Store;
