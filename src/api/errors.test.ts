import { describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { ERROR_TABLE, GRPC_STATUS, toEdgeError } from './errors.ts';

describe('the error table', () => {
  it('gives every code the status that HTTP and gRPC define for it', () => {
    const statuses = Object.fromEntries(
      Object.entries(ERROR_TABLE).map(([code, { httpStatus, grpcStatus }]) => [code, [httpStatus, grpcStatus]]),
    );
    expect(statuses).toEqual({
      invalid_argument: [400, 3],
      unauthenticated: [401, 16],
      permission_denied: [403, 7],
      not_found: [404, 5],
      already_exists: [409, 6],
      failed_precondition: [409, 9],
      too_large: [413, 8],
      unsupported: [415, 3],
      resource_exhausted: [429, 8],
      internal: [500, 13],
      data_damaged: [500, 15],
      unimplemented: [501, 12],
      unavailable: [503, 14],
      deadline_exceeded: [504, 4],
      insufficient_storage: [507, 8],
    });
  });

  it('uses only gRPC statuses that have a name', () => {
    const named = new Set<number>(Object.values(GRPC_STATUS));
    expect(Object.values(ERROR_TABLE).filter(({ grpcStatus }) => !named.has(grpcStatus))).toEqual([]);
  });
});

describe('toEdgeError', () => {
  it('shows the code, message and time to try again of an AppError, but not its cause', () => {
    const error = new AppError('unavailable', 'The disk is busy.', {
      retryAfterSeconds: 3,
      cause: new Error('secret'),
    });
    expect(toEdgeError(error)).toEqual({ code: 'unavailable', message: 'The disk is busy.', retryAfterSeconds: 3 });
  });

  it.each([new Error('password=hunter2'), 'password=hunter2', undefined, { code: 'not_found', message: 'fake' }])(
    'masks whatever else was thrown: %o',
    (thrown) => {
      expect(toEdgeError(thrown)).toEqual({
        code: 'internal',
        message: 'Internal Server Error',
        retryAfterSeconds: undefined,
      });
    },
  );
});
