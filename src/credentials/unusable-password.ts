import { randomBytes } from 'node:crypto';
import type { StoredPassword } from './port.ts';

/** The algorithm of what no password fits; it costs nothing to make, and nothing but time to check. */
export const UNUSABLE_ALGORITHM = 'none';

/** For an account that nobody signs in with before a password is chosen for it by another way. */
export function unusablePassword(): StoredPassword {
  return { hash: randomText(), salt: randomText(), algorithm: UNUSABLE_ALGORITHM };
}

function randomText(): string {
  return randomBytes(32).toString('base64');
}
