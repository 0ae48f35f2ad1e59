/** Passwords that an administrator hands over, and that are replaced at the next sign-in. */
import { findPasswordFault } from '#ui/lib/password-policy.ts';

/** Without those that look alike. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** A random password in groups, as `Xk7p_9mTq_Wz4r_H3nb`, which meets either policy: 92 bits that can be read out. */
export function makeTemporaryPassword(): string {
  for (;;) {
    const password = Array.from({ length: GROUPS }, randomGroup).join('_');
    if (findPasswordFault(password, true) === undefined) return password;
  }
}

function randomGroup(): string {
  return Array.from({ length: GROUP_LENGTH }, randomLetter).join('');
}

function randomLetter(): string {
  // A byte from the part of its range that all letters share evenly.
  const evenly = 256 - (256 % LETTERS.length);
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < evenly) return LETTERS[byte % LETTERS.length] ?? '';
  }
}
