import type { ErrorCode } from '#base/errors';
import { type EdgeError, toEdgeError } from '#api/errors';

/** When an exporter may come again if the error itself does not say. */
const DEFAULT_RETRY_AFTER_SECONDS = 5;

/** What a person or a load has to change takes longer than a commit. */
const FULL_DISK_RETRY_AFTER_SECONDS = 30;

/** What an exporter is told of anything that was thrown; a fault of the server is handed to `onFault` first. */
export function toOtlpError(error: unknown, onFault: (error: unknown) => void): EdgeError {
  const { code, message, retryAfterSeconds } = toEdgeError(error);
  if (code === 'internal') onFault(error);
  // An exporter drops its batch on HTTP 507, and gRPC has no word for a full disk that may be tried again.
  if (code === 'insufficient_storage') {
    return { code: 'unavailable', message, retryAfterSeconds: retryAfterSeconds ?? FULL_DISK_RETRY_AFTER_SECONDS };
  }
  return {
    code,
    message,
    retryAfterSeconds: isRetryable(code) ? (retryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS) : undefined,
  };
}

/** On gRPC a time to try again is what tells an overload from a request that is too large. */
function isRetryable(code: ErrorCode): boolean {
  return code === 'unavailable' || code === 'resource_exhausted';
}
