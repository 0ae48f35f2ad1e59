import { AppError } from '#base/errors';

const UNIT_MS: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/** The longest that a timer of Node can wait; it takes a longer one for no wait at all. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Reads the header `grpc-timeout`, in milliseconds that a timer can wait; `undefined` for none.
 * @throws AppError `invalid_argument`
 */
export function parseGrpcTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit ?? ''];
  if (digits === undefined || unitMs === undefined) {
    throw new AppError(
      'invalid_argument',
      'Send a grpc-timeout of up to eight digits and one of the units H, M, S, m, u, n.',
    );
  }
  return Math.min(Number(digits) * unitMs, MAX_TIMER_MS);
}
