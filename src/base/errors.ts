/**
 * Why something could not be done, in words that no transport owns.
 * `api/errors.ts` maps each to HTTP and gRPC; docs/errors.md is generated from that table.
 */
export type ErrorCode =
  | 'invalid_argument'
  | 'unsupported'
  | 'too_large'
  | 'unauthenticated'
  | 'permission_denied'
  | 'not_found'
  | 'already_exists'
  | 'failed_precondition'
  | 'resource_exhausted'
  | 'deadline_exceeded'
  | 'unavailable'
  | 'insufficient_storage'
  | 'data_damaged'
  | 'unimplemented'
  | 'internal';

/** What an {@link AppError} may carry beside its message. */
export interface AppErrorOptions {
  /** The error underneath, for logs only. */
  readonly cause?: unknown;
  /** When a caller may try again, in seconds; absent when a repetition cannot help. */
  readonly retryAfterSeconds?: number;
  /** What the server itself tells apart; no caller sees it. */
  readonly reason?: ErrorReason;
}

/** Why the server could not do something, where its code does not say: damage to what is stored stays until it is mended. */
export type ErrorReason = 'damage';

/** The one error class: `message` is safe to show to a caller, `cause` is not. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: ErrorReason | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.reason = options.reason;
  }
}

/** The text of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
