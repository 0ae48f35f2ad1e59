import { expect, it } from 'vitest';
import { Shares } from './shares.ts';

/** Takes one after the other in turns, until nobody may have any more. */
function fill(shares: Shares, holders: readonly string[]): void {
  for (let taken = -1; taken !== 0; ) {
    taken = 0;
    for (const holder of holders) {
      if (!shares.leavesRoom(holder, 1)) continue;
      shares.change(holder, 1);
      taken++;
    }
  }
}

it('one alone may have two thirds, two as much each, and another always some', () => {
  const equals = new Shares(1000);
  fill(equals, ['one', 'two']);
  expect([equals.heldBy('one'), equals.heldBy('two')]).toEqual([400, 400]);
  const shares = new Shares(1000);
  fill(shares, ['one']);
  expect(shares.heldBy('one')).toBe(666);
  fill(shares, ['one', 'two']);
  expect(shares.heldBy('two')).toBeGreaterThan(200);
  expect(shares.leavesRoom('one', 1)).toBe(false);
  expect(shares.leavesRoom('three', 1)).toBe(true);
  shares.change('one', -666);
  expect(shares.holderCount).toBe(1);
});
