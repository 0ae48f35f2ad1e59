import { getHeapStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { collectGarbage } from './collect-garbage.ts';

it('keeps no text for being the last that a pattern matched', () => {
  const match = () => void /a$/.exec(Buffer.alloc(60_000_000, 97).toString('latin1'));
  collectGarbage();
  const before = getHeapStatistics().external_memory;
  match();
  collectGarbage();
  expect(getHeapStatistics().external_memory - before).toBeLessThan(30_000_000);
});
