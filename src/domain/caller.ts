/** Who asks for an operation. */

/** What an account may do; each role includes the ones before it. */
export type Role = 'viewer' | 'member' | 'admin';

/** The caller of an operation. While authentication is off, everybody is the anonymous administrator. */
export type Caller =
  | { readonly kind: 'anonymous'; readonly role: 'admin' }
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

/** The caller of a background job. @param name of the job, as `retention` */
export function systemCaller(name: string): Caller {
  return { kind: 'system', role: 'admin', name };
}
