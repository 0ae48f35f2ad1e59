import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nextMomentUs } from '#base/moment';
import { MAX_TOUCHED_TRACES } from '#store/engine/touched-project';
import { ChangeFeed } from './change-feed.ts';

const PROJECT = 7;
const HOLDER = '192.0.2.1';

let feed: ChangeFeed;

beforeEach(() => {
  vi.useFakeTimers();
  feed = new ChangeFeed({ intervalMs: 250, maxWatchers: 2 });
});

afterEach(() => {
  feed.close();
  vi.useRealTimers();
});

function change(...traceIds: string[]): void {
  feed.publish([{ projectRowId: PROJECT, traceIds, changedAtUs: nextMomentUs() }]);
}

it('tells whoever begins to watch where things stand, at once', async () => {
  const first = await feed.watch(PROJECT, HOLDER).next();
  expect(first).toEqual({
    done: false,
    value: { projectRowId: PROJECT, changedAtUs: feed.sinceUs, traceIds: null },
  });
});

it('gathers what changes until the next event is due', async () => {
  const watcher = feed.watch(PROJECT, HOLDER);
  await watcher.next();
  const next = watcher.next();
  const settled = vi.fn<() => void>();
  void next.then(settled);
  change('a');
  change('b', 'a');
  await vi.advanceTimersByTimeAsync(249);
  expect(settled).not.toHaveBeenCalled();
  change('c');
  await vi.advanceTimersByTimeAsync(1);
  expect((await next).value).toEqual({
    projectRowId: PROJECT,
    changedAtUs: feed.lastChangeOfUs(PROJECT),
    traceIds: ['a', 'b', 'c'],
  });
});

it('tells at once what changes after a quiet time', async () => {
  const watcher = feed.watch(PROJECT, HOLDER);
  await watcher.next();
  await vi.advanceTimersByTimeAsync(1000);
  const next = watcher.next();
  change('a');
  expect((await next).value?.traceIds).toEqual(['a']);
});

it('names no traces where there are too many', async () => {
  const watcher = feed.watch(PROJECT, HOLDER);
  await watcher.next();
  for (let index = 0; index <= MAX_TOUCHED_TRACES; index++) change(String(index));
  await vi.advanceTimersByTimeAsync(250);
  expect((await watcher.next()).value?.traceIds).toBeNull();
});

it('leaves alone whoever watches another project', async () => {
  const watcher = feed.watch(PROJECT + 1, HOLDER);
  await watcher.next();
  const settled = vi.fn<() => void>();
  void watcher.next().then(settled);
  change('a');
  await vi.advanceTimersByTimeAsync(1000);
  expect(settled).not.toHaveBeenCalled();
});

it('remembers the last change', () => {
  expect(feed.lastChangeUs).toBe(feed.sinceUs);
  expect(feed.lastChangeOfUs(PROJECT)).toBeUndefined();
  change('a');
  const first = feed.lastChangeUs;
  change('a');
  expect(feed.lastChangeUs).toBeGreaterThan(first);
  expect(feed.lastChangeOfUs(PROJECT)).toBe(feed.lastChangeUs);
});

it('remembers the same whatever the order in which it hears of changes, and whenever it misses some', () => {
  const other = new ChangeFeed();
  const [early, missed, late] = [nextMomentUs(), nextMomentUs(), nextMomentUs()];
  const touched = (changedAtUs: number, projectRowId = PROJECT) => [{ projectRowId, traceIds: [], changedAtUs }];
  feed.publish(touched(late));
  feed.publish(touched(early));
  feed.publish(touched(early, PROJECT + 1));
  feed.publishAnything(missed);
  other.publishAnything(missed);
  other.publish(touched(early));
  other.publish(touched(late));
  for (const project of [PROJECT, PROJECT + 1])
    expect(feed.lastChangeOfUs(project)).toBe(other.lastChangeOfUs(project));
  expect([feed.sinceUs, feed.lastChangeUs]).toEqual([other.sinceUs, other.lastChangeUs]);
  expect(feed.lastChangeOfUs(PROJECT)).toBe(late);
});

it('has a later mark after a change that was under way when anything may have changed', () => {
  const underWay = nextMomentUs();
  feed.publishAnything(nextMomentUs());
  const before = [feed.lastChangeOfUs(PROJECT) ?? feed.sinceUs, feed.lastChangeUs] as const;
  feed.publish([{ projectRowId: PROJECT, traceIds: [], changedAtUs: underWay }]);
  expect(feed.lastChangeOfUs(PROJECT)).toBeGreaterThan(before[0]);
  expect(feed.lastChangeUs).toBeGreaterThan(before[1]);
});

it('bounds how many watch, and takes another when one has ended', async () => {
  const first = feed.watch(PROJECT, HOLDER);
  feed.watch(PROJECT, HOLDER);
  expect(() => feed.watch(PROJECT, HOLDER)).toThrow('Too many subscriptions');
  await first.return?.();
  expect(() => feed.watch(PROJECT, HOLDER)).not.toThrow();
});

it('ends the oldest subscription of the holder that has most, for a newcomer that would have fewer', async () => {
  const [oldest, later] = [feed.watch(PROJECT, HOLDER), feed.watch(PROJECT, HOLDER)] as const;
  await oldest.next();
  const next = oldest.next();
  const newcomer = feed.watch(PROJECT, '192.0.2.2');
  expect(await next).toEqual({ done: true, value: undefined });
  for (const watcher of [later, newcomer]) expect((await watcher.next()).done).toBe(false);
  for (const holder of [HOLDER, '192.0.2.2', '192.0.2.3']) {
    expect(() => feed.watch(PROJECT, holder)).toThrow('Too many subscriptions');
  }
});

it('ends everybody who waits when it is closed, and whoever comes later', async () => {
  const watcher = feed.watch(PROJECT, HOLDER);
  await watcher.next();
  const next = watcher.next();
  feed.close();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await feed.watch(PROJECT, HOLDER).next()).toEqual({ done: true, value: undefined });
});

it('leaves no timer when it is closed', () => {
  const watcher = feed.watch(PROJECT, HOLDER);
  void watcher.next();
  // Without a pause in between: the files before this one share the clock, and may end something late.
  const timers = vi.getTimerCount();
  void watcher.next();
  change('a');
  expect(vi.getTimerCount()).toBe(timers + 1);
  feed.close();
  expect(vi.getTimerCount()).toBe(timers);
});
