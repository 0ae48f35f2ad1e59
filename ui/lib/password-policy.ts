/** What the server asks of a password, so that a form says it before it is sent. The server decides. */

const SPECIAL = '!@#$%^&*()_+';

/** The policy, as a hint below the field. */
export function describePasswordPolicy(isStrong: boolean): string {
  return isStrong
    ? `At least 12 characters, with an upper-case letter, a lower-case letter, a digit, and one of ${SPECIAL}. No spaces.`
    : 'At least 4 characters. No spaces.';
}

/** What is wrong with a new password, or undefined. */
export function findPasswordFault(password: string, isStrong: boolean): string | undefined {
  if (password === '') return 'Enter a new password.';
  if (/\s/.test(password)) return 'Remove the spaces: a password has none.';
  if (!/^[\x21-\x7e]*$/.test(password))
    return 'Use only unaccented letters, digits and the symbols of an English keyboard.';
  if (!isStrong) return password.length < 4 ? 'Enter at least 4 characters.' : undefined;
  const missing = [
    password.length < 12 && 'at least 12 characters',
    !/[A-Z]/.test(password) && 'an upper-case letter',
    !/[a-z]/.test(password) && 'a lower-case letter',
    !/\d/.test(password) && 'a digit',
    !/[!@#$%^&*()_+]/.test(password) && `one of ${SPECIAL}`,
  ].filter((part) => part !== false);
  return missing.length === 0 ? undefined : `Missing: ${missing.join(', ')}.`;
}
