/** What a stored secret may be called, and what it may be. */

/** A secret as somebody sends it; with `null` it is deleted. */
export interface SecretEntry {
  readonly name: string;
  readonly value: string | null;
}

/** A value as it is stored. */
export interface SealedSecret {
  /** Base64 of the nonce, what is encrypted, and its tag. */
  readonly value: string;
  /** Tells which key it was encrypted with, and nothing else of that key. */
  readonly keyId: string;
}

/** What becomes of the secret of a name; with `null` it is deleted. */
export interface SecretChange {
  readonly name: string;
  readonly sealed: SealedSecret | null;
}

/** A secret that was encrypted with another key. */
export interface RotatedSecret {
  readonly name: string;
  readonly before: SealedSecret;
  readonly after: SealedSecret;
}

/** What is shown in place of every value. */
export const SHOWN_VALUE = '••••••••';

/** Secrets that one call changes at most. */
export const MAX_SECRETS = 1000;
/** In characters. A name is part of a global id. */
const MAX_SECRET_NAME = 200;
/** In characters. Many times a private key. */
const MAX_SECRET_VALUE = 65_536;

/** What is wrong with a name whose white space at its ends is gone; `null` where nothing is. */
export function faultOfSecretName(name: string): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return 'A key consists of letters, digits and underscores, and does not begin with a digit.';
  }
  return name.length > MAX_SECRET_NAME ? `A key has at most ${MAX_SECRET_NAME} characters.` : null;
}

/** What is wrong with a value whose white space at its ends is gone; `null` where nothing is. Says nothing of what it holds. */
export function faultOfSecretValue(value: string): string | null {
  if (value === '') return 'A value cannot be empty; to delete the secret, send null.';
  if (value === SHOWN_VALUE) return 'This is what is shown in place of a value: send the secret itself.';
  if (value.length > MAX_SECRET_VALUE) return `A value has at most ${MAX_SECRET_VALUE} characters.`;
  return value.isWellFormed() ? null : 'The value is no valid Unicode text.';
}
