import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FairTurns, outOfTurn } from './fair-turns.ts';

it('leave the processor alone while nobody may go on', async () => {
  const turns = new FairTurns();
  const room = Promise.withResolvers<void>();
  let operation = 0;
  const ask = (work: () => Promise<void>) => turns.run({ shares: ['heavy'], operation: ++operation }, undefined, work);
  const waiting = Array.from({ length: 16 }, () =>
    ask(async () => {
      for (const endsMs = performance.now() + 10; performance.now() < endsMs; );
      await outOfTurn(room.promise);
    }),
  );
  let hasBegun = false;
  const held = ask(async () => {
    hasBegun = true;
  });
  await sleep(400);
  const before = performance.eventLoopUtilization();
  await sleep(100);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
  expect(hasBegun).toBe(false);
  room.resolve();
  await Promise.all([...waiting, held]);
  expect(hasBegun).toBe(true);
});
