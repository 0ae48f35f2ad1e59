import { describe, expect, it } from 'vitest';
import { Random } from './random.ts';

describe('Random', () => {
  it('gives the same stream for the same labels and another for others', () => {
    const draw = (random: Random) => Array.from({ length: 20 }, () => random.next());
    expect(draw(new Random('demo', 1))).toEqual(draw(new Random('demo', 1)));
    expect(draw(new Random('demo', 1))).not.toEqual(draw(new Random('demo', 2)));
  });

  it('forks independently of how much was drawn before', () => {
    const used = new Random('demo');
    used.next();
    expect(used.fork('child').next()).toBe(new Random('demo').fork('child').next());
  });

  it('spreads evenly over the unit interval', () => {
    const random = new Random('even');
    const buckets = new Array<number>(10).fill(0);
    for (let draw = 0; draw < 10_000; draw++) {
      const value = random.next();
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThan(1);
      const bucket = Math.floor(value * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    for (const bucket of buckets) expect(Math.abs(bucket - 1000)).toBeLessThan(150);
  });

  it('reaches both bounds of an integer range and nothing outside', () => {
    const random = new Random('int');
    const seen = new Set(Array.from({ length: 200 }, () => random.int(3, 6)));
    expect(seen).toEqual(new Set([3, 4, 5, 6]));
  });

  it('follows the weights', () => {
    const random = new Random('weights');
    const drawn = Array.from({ length: 2000 }, () => random.weighted({ often: 9, seldom: 1, never: 0 }));
    const seldom = drawn.filter((key) => key === 'seldom').length;
    expect(drawn).not.toContain('never');
    expect(seldom).toBeGreaterThan(120);
    expect(seldom).toBeLessThan(280);
  });

  it('samples different items', () => {
    const sample = new Random('sample').sample([1, 2, 3, 4, 5], 4);
    expect(new Set(sample).size).toBe(4);
  });

  it('keeps the median of a skewed value', () => {
    const random = new Random('skewed');
    const values = Array.from({ length: 2001 }, () => random.skewed(800)).sort((left, right) => left - right);
    expect(values[1000]).toBeGreaterThan(740);
    expect(values[1000]).toBeLessThan(860);
    expect(values[0]).toBeGreaterThan(0);
  });

  it('writes hexadecimal ids of the asked length', () => {
    expect(new Random('hex').hex(16)).toMatch(/^[0-9a-f]{32}$/);
    expect(new Random('hex').hex(8)).toMatch(/^[0-9a-f]{16}$/);
  });
});
