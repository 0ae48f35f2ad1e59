import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SAME_SIGNAL_MS, STOP_DEADLINE_MS, waitForStopSignal } from './stop-signal.ts';

describe('waiting for a signal to stop', () => {
  const source = new EventEmitter();
  let reasons: string[] = [];
  let first: Promise<string>;

  beforeEach(() => {
    vi.useFakeTimers();
    reasons = [];
    first = waitForStopSignal(source, (reason) => reasons.push(reason));
  });
  afterEach(() => {
    vi.useRealTimers();
    source.removeAllListeners();
  });

  it.each(['SIGTERM', 'SIGINT'])('ends with %s', async (signal) => {
    source.emit(signal);
    expect(await first).toBe(signal);
    expect(reasons).toEqual([]);
  });

  it('takes the signal that the terminal and npm both send for one', () => {
    source.emit('SIGINT');
    vi.advanceTimersByTime(SAME_SIGNAL_MS - 1);
    source.emit('SIGINT');
    expect(reasons).toEqual([]);
  });

  it('stops at once when someone signals again', () => {
    source.emit('SIGINT');
    vi.advanceTimersByTime(SAME_SIGNAL_MS + 1);
    source.emit('SIGTERM');
    expect(reasons).toEqual(['a second signal arrived (SIGTERM)']);
  });

  it('stops at once at the deadline, which leaves the process time to end within 10 s', () => {
    vi.advanceTimersByTime(60_000);
    source.emit('SIGTERM');
    vi.advanceTimersByTime(STOP_DEADLINE_MS - 1);
    expect(reasons).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reasons).toEqual(['stopping took too long']);
    expect(STOP_DEADLINE_MS).toBeLessThan(10_000);
  });
});
