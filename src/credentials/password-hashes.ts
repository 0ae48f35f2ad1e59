/** What is stored of passwords, and whether a password fits it. Takes a tenth of a second: for a thread of its own. */
import { argon2Sync, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { PasswordCheck, StoredPassword } from './port.ts';
import { UNUSABLE_ALGORITHM } from './unusable-password.ts';

/**
 * By argon2id, with 64 MiB and two passes: 125 ms on one core of an ordinary server, so 60 on a fast and 250 on a slow one.
 * Less memory is cheaper to attack with special hardware; a third pass makes slow servers wait.
 * @see https://www.rfc-editor.org/rfc/rfc9106
 */
export function hashPassword(password: string): StoredPassword {
  const salt = randomBytes(SALT_BYTES);
  const hash = argon2id(password, salt, CURRENT, HASH_BYTES);
  return { hash: hash.toString('base64'), salt: salt.toString('base64'), algorithm: formatAlgorithm(CURRENT) };
}

/** Whatever is stored, and nothing too, takes as long as a wrong password does. */
export function checkPassword(password: string, stored: StoredPassword | null): PasswordCheck {
  const algorithm = stored === null ? undefined : parseAlgorithm(stored.algorithm);
  const isOutdated = algorithm === undefined || formatAlgorithm(algorithm) !== formatAlgorithm(CURRENT);
  const isRight = stored !== null && algorithm !== undefined && fits(password, stored, algorithm);
  // An older hash is cheaper: how long the answer took would tell that there is one.
  if (isOutdated && !isRight) argon2id(password, randomBytes(SALT_BYTES), CURRENT, HASH_BYTES);
  return { isRight, isOutdated: isRight && isOutdated };
}

/** Whether {@link checkPassword} knows what to do with such a hash. */
export function isKnownAlgorithm(text: string): boolean {
  return text === UNUSABLE_ALGORITHM || parseAlgorithm(text) !== undefined;
}

type Algorithm =
  | { readonly name: 'argon2id'; readonly memory: number; readonly passes: number; readonly parallelism: number }
  | { readonly name: 'pbkdf2-sha256'; readonly iterations: number };

const CURRENT = { name: 'argon2id', memory: 65_536, passes: 2, parallelism: 1 } as const satisfies Algorithm;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

function fits(password: string, { hash, salt }: StoredPassword, algorithm: Algorithm): boolean {
  const expected = Buffer.from(hash, 'base64');
  const nonce = Buffer.from(salt, 'base64');
  // What argon2 takes at least and at most. Anything else was written by hand, and fits no password.
  if (expected.length < 16 || expected.length > 128 || nonce.length < 8 || nonce.length > 128) return false;
  const derived =
    algorithm.name === 'argon2id'
      ? argon2id(password, nonce, algorithm, expected.length)
      : pbkdf2Sync(password, nonce, algorithm.iterations, expected.length, 'sha256');
  return timingSafeEqual(derived, expected);
}

function argon2id(
  password: string,
  nonce: Buffer,
  { memory, passes, parallelism }: Extract<Algorithm, { name: 'argon2id' }>,
  tagLength: number,
): Buffer {
  return argon2Sync('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength });
}

function formatAlgorithm(algorithm: Algorithm): string {
  return algorithm.name === 'argon2id'
    ? `argon2id:m=${algorithm.memory},t=${algorithm.passes},p=${algorithm.parallelism}`
    : `pbkdf2-sha256:${algorithm.iterations}`;
}

/** `undefined` also for parameters that nobody waits for. */
function parseAlgorithm(text: string): Algorithm | undefined {
  const [, iterations] = /^pbkdf2-sha256:(\d{1,8})$/.exec(text) ?? [];
  if (iterations !== undefined) {
    return isBetween(Number(iterations), 1, 10_000_000)
      ? { name: 'pbkdf2-sha256', iterations: Number(iterations) }
      : undefined;
  }
  const [, m, t, p] = /^argon2id:m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})$/.exec(text) ?? [];
  const [memory, passes, parallelism] = [Number(m), Number(t), Number(p)];
  const isUsable =
    isBetween(parallelism, 1, 16) && isBetween(memory, 8 * parallelism, MAX_MEMORY_KIB) && isBetween(passes, 1, 32);
  return isUsable ? { name: 'argon2id', memory, passes, parallelism } : undefined;
}

const MAX_MEMORY_KIB = 1_048_576;

function isBetween(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
