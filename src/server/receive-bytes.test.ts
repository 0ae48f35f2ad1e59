import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { receiveBytes } from './receive-bytes.ts';

const DEADLINE_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('receiveBytes', () => {
  it('is done with a source that ended before it was listened to', async () => {
    const source = new PassThrough();
    source.end();
    source.resume();
    await once(source, 'end');
    await expect(receiveBytes(source, () => expect.fail('nothing comes'), DEADLINE_MS)).resolves.toBeUndefined();
  });

  it('hands over every chunk in order, one at a time', async () => {
    const source = new PassThrough();
    const taken: string[] = [];
    let isBusy = false;
    const received = receiveBytes(source, async (chunk) => {
      expect(isBusy).toBe(false);
      isBusy = true;
      await new Promise(setImmediate);
      taken.push(chunk.toString());
      isBusy = false;
    });
    for (const text of ['a', 'b', 'c']) source.write(text);
    source.end();
    await received;
    expect(taken.join('')).toBe('abc');
  });

  it('leaves no timer after a source that ended', async () => {
    const timers = vi.getTimerCount();
    const source = new PassThrough();
    const received = receiveBytes(source, () => undefined, DEADLINE_MS);
    expect(vi.getTimerCount()).toBe(timers + 1);
    source.end();
    await received;
    expect(vi.getTimerCount()).toBe(timers);
  });

  it('returns for a source without bytes', async () => {
    const source = new PassThrough();
    source.end();
    await expect(receiveBytes(source, () => undefined, DEADLINE_MS)).resolves.toBeUndefined();
  });

  it('stops at the deadline, although bytes trickle in', async () => {
    const source = new PassThrough();
    const received = receiveBytes(source, () => undefined, DEADLINE_MS);
    const refused = expect(received).rejects.toMatchObject({ code: 'deadline_exceeded' });
    for (let elapsedMs = 0; elapsedMs < DEADLINE_MS; elapsedMs += 100) {
      source.write('x');
      await vi.advanceTimersByTimeAsync(100);
    }
    await refused;
    expect(source.isPaused()).toBe(true);
  });

  it('gives a body a minute unless it is told otherwise', async () => {
    const received = receiveBytes(new PassThrough(), () => undefined);
    const settled = vi.fn<() => void>();
    received.then(settled, settled);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(received).rejects.toMatchObject({ code: 'deadline_exceeded' });
  });

  it('leaves the source alone when the work on a chunk ends after the deadline', async () => {
    const source = new PassThrough();
    const { promise: work, resolve: endWork } = Promise.withResolvers<void>();
    const received = receiveBytes(source, () => work, DEADLINE_MS);
    const refused = expect(received).rejects.toMatchObject({ code: 'deadline_exceeded' });
    source.write('x');
    await vi.advanceTimersByTimeAsync(DEADLINE_MS);
    await refused;
    endWork();
    await work;
    expect(source.isPaused()).toBe(true);
  });

  it('refuses a source that closes early, before or while it is read', async () => {
    const early = new PassThrough();
    early.destroy();
    await expect(receiveBytes(early, () => undefined, DEADLINE_MS)).rejects.toMatchObject({ code: 'invalid_argument' });

    const midway = new PassThrough();
    const received = receiveBytes(midway, () => undefined, DEADLINE_MS);
    midway.write('x');
    midway.destroy();
    await expect(received).rejects.toMatchObject({ code: 'invalid_argument' });
  });

  it.each([
    [
      'at once',
      () => {
        throw new Error('full');
      },
    ],
    ['later', () => Promise.reject(new Error('full'))],
  ])('passes on what the taker throws %s and takes nothing more', async (_when, take) => {
    const source = new PassThrough();
    const taker = vi.fn<() => Promise<void>>(take);
    const received = receiveBytes(source, taker, DEADLINE_MS);
    source.write('x');
    await expect(received).rejects.toThrow('full');
    source.write('y');
    await new Promise(setImmediate);
    expect(taker).toHaveBeenCalledTimes(1);
  });
});
