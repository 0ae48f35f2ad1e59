import { expect, it } from 'vitest';
import { type Bucket, findOutliers, rangeOf } from './buckets.ts';

const bucket = (hour: number, more: Partial<Bucket> = {}): Bucket => ({
  startTime: `2026-11-20T0${hour}:00:00Z`,
  endTime: `2026-11-20T0${hour + 1}:00:00Z`,
  totalCount: 1,
  okCount: 1,
  errorCount: 0,
  unsetCount: 0,
  latencyMsP95: 1,
  cost: 0,
  ...more,
});

it('finds the slowest and the most expensive of several buckets', () => {
  expect(findOutliers([bucket(1), bucket(2, { latencyMsP95: 9 }), bucket(3, { cost: 2 })])).toEqual({
    slowest: 1,
    costliest: 2,
  });
  expect(findOutliers([bucket(1), bucket(2, { latencyMsP95: null })]).costliest).toBeNull();
  expect(findOutliers([bucket(1, { cost: 3 }), bucket(2, { totalCount: 0 })])).toEqual({
    slowest: null,
    costliest: null,
  });
});

it('reaches from the beginning of the first to the end of the last, whichever was chosen first', () => {
  const buckets = [bucket(1), bucket(2), bucket(3)];
  expect(rangeOf(buckets, { from: 2, to: 1 })).toEqual(['2026-11-20T02:00:00Z', '2026-11-20T04:00:00Z']);
  expect(rangeOf([], { from: 0, to: 0 })).toBeNull();
});
