import { expect, it } from 'vitest';
import { storageGuard } from './storage-guard.ts';

it('refuses writes while more is in use than may be, and lets them through again by itself', async () => {
  let [now, usedBytes] = [0, 500_001];
  const assertRoom = storageGuard(
    async () => usedBytes,
    500_000,
    () => now,
  );
  await expect(assertRoom()).rejects.toMatchObject({ code: 'insufficient_storage' });
  usedBytes = 500_000;
  now = 59_999;
  await expect(assertRoom()).rejects.toMatchObject({ code: 'insufficient_storage' });
  now = 60_000;
  await assertRoom();
});

it('asks nothing where nothing is bounded', async () => {
  await storageGuard(() => Promise.reject(new Error('asked')), null)();
});
