import { describe, expect, it } from 'vitest';
import { AppError, type ErrorCode } from '#base/errors';
import { toOtlpError } from './otlp-error.ts';

function failOnFault(error: unknown): void {
  throw new Error('called for no fault', { cause: error });
}

describe('toOtlpError', () => {
  it('keeps the time to try again that the error names', () => {
    const error = new AppError('unavailable', 'Busy.', { retryAfterSeconds: 2 });
    expect(toOtlpError(error, failOnFault)).toEqual({ code: 'unavailable', message: 'Busy.', retryAfterSeconds: 2 });
  });

  it.each<[ErrorCode, number | undefined]>([
    ['unavailable', 5],
    ['resource_exhausted', 5],
    ['too_large', undefined],
    ['invalid_argument', undefined],
    ['unauthenticated', undefined],
    ['permission_denied', undefined],
  ])('gives %s the time to try again %s when the error names none', (code, retryAfterSeconds) => {
    expect(toOtlpError(new AppError(code, 'No.'), failOnFault)).toEqual({ code, message: 'No.', retryAfterSeconds });
  });

  it('never tells an exporter to try again what cannot succeed', () => {
    const error = new AppError('too_large', 'Too large.', { retryAfterSeconds: 2 });
    expect(toOtlpError(error, failOnFault).retryAfterSeconds).toBeUndefined();
  });

  it('makes a full disk something to try again, so that no batch is dropped', () => {
    expect(toOtlpError(new AppError('insufficient_storage', 'The disk is full.'), failOnFault)).toEqual({
      code: 'unavailable',
      message: 'The disk is full.',
      retryAfterSeconds: 30,
    });
  });

  it('masks a fault and hands it on once', () => {
    const fault = new Error('secret');
    const faults: unknown[] = [];
    expect(toOtlpError(fault, (error) => faults.push(error))).toEqual({
      code: 'internal',
      message: 'Internal Server Error',
      retryAfterSeconds: undefined,
    });
    expect(faults).toEqual([fault]);
  });
});
