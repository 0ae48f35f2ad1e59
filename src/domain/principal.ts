/** Who calls, and what that lets them do. */

/** What a route demands of its caller. `public` asks nothing, also where credentials are demanded elsewhere. */
export type Access = 'public' | 'read' | 'write' | 'admin';

/** What an account may do; each role includes the ones before it. */
export type Role = 'viewer' | 'member' | 'admin';

/** The caller of one request. While authentication is off everybody is the anonymous administrator. */
export interface Principal {
  readonly kind: 'anonymous';
  readonly role: Role;
}

/** The caller while nobody is asked for credentials. */
export const ANONYMOUS: Principal = { kind: 'anonymous', role: 'admin' };

/** Whether the principal may call a route with that access. */
export function isAllowed(principal: Principal, access: Access): boolean {
  switch (access) {
    case 'public':
    case 'read':
      return true;
    case 'write':
      return principal.role !== 'viewer';
    case 'admin':
      return principal.role === 'admin';
  }
}
