import { expect, it } from 'vitest';
import { traceStatus } from './trace-status.ts';

const ENDED = '2026-01-01T00:00:00Z';

it.each(['OK', 'UNSET'] as const)('a trace that ended without a failure is as its root says: %s', (statusCode) => {
  expect(traceStatus({ errorCount: 0, latencyMs: 5, rootSpan: { statusCode, endTime: ENDED } })).toBe(statusCode);
});

it('a trace failed where any of its spans did, whatever its root says', () => {
  expect(traceStatus({ errorCount: 1, latencyMs: null, rootSpan: { statusCode: 'OK', endTime: ENDED } })).toBe('ERROR');
});

it('a trace has not ended before its root has', () => {
  expect(traceStatus({ errorCount: 0, latencyMs: 5, rootSpan: { statusCode: 'OK', endTime: null } })).toBe('OPEN');
  expect(traceStatus({ errorCount: 0, latencyMs: 5, rootSpan: null })).toBe('OPEN');
});
