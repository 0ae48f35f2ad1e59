/** The one table from an error's code to what a caller sees of it on each transport. */
import { AppError, type ErrorCode } from '#base/errors';

/**
 * The gRPC status codes that this server answers with, by name.
 * @see https://grpc.io/docs/guides/status-codes/
 */
export const GRPC_STATUS = {
  OK: 0,
  CANCELLED: 1,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

/** How one error code looks on each transport. */
export interface ErrorMapping {
  readonly httpStatus: number;
  readonly grpcStatus: number;
  /** A sentence for the person who meets it. */
  readonly meaning: string;
}

/** What each error code becomes; docs/errors.md is generated from it. */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorMapping>> = {
  invalid_argument: {
    httpStatus: 400,
    grpcStatus: GRPC_STATUS.INVALID_ARGUMENT,
    meaning: 'The request is malformed. Repeating it unchanged cannot help.',
  },
  unauthenticated: {
    httpStatus: 401,
    grpcStatus: GRPC_STATUS.UNAUTHENTICATED,
    meaning: 'Credentials are missing, wrong or expired.',
  },
  permission_denied: {
    httpStatus: 403,
    grpcStatus: GRPC_STATUS.PERMISSION_DENIED,
    meaning: 'The caller is known but not allowed to do this.',
  },
  not_found: {
    httpStatus: 404,
    grpcStatus: GRPC_STATUS.NOT_FOUND,
    meaning: 'The object that the request names does not exist.',
  },
  already_exists: {
    httpStatus: 409,
    grpcStatus: GRPC_STATUS.ALREADY_EXISTS,
    meaning: 'An object with that name or id already exists.',
  },
  failed_precondition: {
    httpStatus: 409,
    grpcStatus: GRPC_STATUS.FAILED_PRECONDITION,
    meaning: 'The current state of the server does not allow this. Change that state first.',
  },
  too_large: {
    httpStatus: 413,
    grpcStatus: GRPC_STATUS.RESOURCE_EXHAUSTED,
    meaning: 'The request is larger than the configured limit, before or after decompression. Send it in parts.',
  },
  unsupported: {
    httpStatus: 415,
    grpcStatus: GRPC_STATUS.INVALID_ARGUMENT,
    meaning: 'The server does not support this content type or content encoding.',
  },
  resource_exhausted: {
    httpStatus: 429,
    grpcStatus: GRPC_STATUS.RESOURCE_EXHAUSTED,
    meaning: 'Too many requests at once. Try again after the given time.',
  },
  internal: {
    httpStatus: 500,
    grpcStatus: GRPC_STATUS.INTERNAL,
    meaning: 'The server failed. Only its log says why.',
  },
  data_damaged: {
    httpStatus: 500,
    grpcStatus: GRPC_STATUS.DATA_LOSS,
    meaning:
      'Stored data that this needs is damaged. The message says which; trying again does not help. Other data stays readable.',
  },
  unimplemented: {
    httpStatus: 501,
    grpcStatus: GRPC_STATUS.UNIMPLEMENTED,
    meaning: 'The server does not offer this operation.',
  },
  unavailable: {
    httpStatus: 503,
    grpcStatus: GRPC_STATUS.UNAVAILABLE,
    meaning: 'The server cannot do this at the moment. Try again after the given time.',
  },
  deadline_exceeded: {
    httpStatus: 504,
    grpcStatus: GRPC_STATUS.DEADLINE_EXCEEDED,
    meaning: 'The work did not finish in time. It may still take effect.',
  },
  insufficient_storage: {
    httpStatus: 507,
    grpcStatus: GRPC_STATUS.RESOURCE_EXHAUSTED,
    meaning:
      'There is no room left to store this. OTLP requests get `unavailable` instead, so that exporters keep their data and try again.',
  },
};

/** What a caller is told of an error: nothing in it is secret. */
export interface EdgeError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
}

/** What to tell the caller of anything that was thrown; everything but an {@link AppError} is masked as `internal`. */
export function toEdgeError(error: unknown): EdgeError {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, retryAfterSeconds: error.retryAfterSeconds };
  }
  return { code: 'internal', message: 'Internal Server Error', retryAfterSeconds: undefined };
}
