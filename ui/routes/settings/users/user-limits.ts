/** What cannot be done with an account, each with the reason. The server refuses the same. */

/** The facts of an account that decide what an administrator can do to it. */
export interface LimitedUser {
  readonly id: string;
  readonly email: string | null | undefined;
  readonly authMethod: string;
}

/** Reasons; what is absent can be done. */
export interface UserLimits {
  readonly role?: string;
  readonly password?: string;
  readonly deletion?: string;
}

/** The address of the first administrator, which no other account can have. */
const BUILT_IN_ADMIN = 'admin@localhost';

/**
 * See the file.
 * @param viewerId the account of the user, who is an administrator: no other one is ever the last
 */
export function limitsOf(user: LimitedUser, viewerId: string | undefined, arePasswordsOff: boolean): UserLimits {
  const isOwn = user.id === viewerId;
  const isBuiltIn = user.email === BUILT_IN_ADMIN;
  return {
    ...(isBuiltIn
      ? {
          role: 'The built-in administrator keeps this role',
          deletion: 'The built-in administrator cannot be deleted',
        }
      : isOwn && { role: 'You cannot change your own role', deletion: 'You cannot delete your own account' }),
    ...(isOwn
      ? { password: 'Change your own password in your profile' }
      : user.authMethod !== 'LOCAL'
        ? { password: 'This user signs in with another service' }
        : arePasswordsOff && { password: 'Signing in with a password is turned off' }),
  };
}
