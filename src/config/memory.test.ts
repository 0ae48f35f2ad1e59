import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { deriveMaxMemory, deriveOtlpMaxBytes } from './memory.ts';

const MIB = 2 ** 20;

it('takes what the setting says, else the limit of the group, else 1 GiB', () => {
  expect(deriveMaxMemory(700, 512 * MIB)).toBe(700 * MIB);
  expect(deriveMaxMemory(undefined, 512 * MIB)).toBe(512 * MIB);
  for (const unlimited of [0, totalmem(), Number.MAX_SAFE_INTEGER]) {
    expect(deriveMaxMemory(undefined, unlimited)).toBe(Math.min(1024 * MIB, totalmem()));
  }
});

it('lets requests have a twelfth of the memory beyond what the program takes unless a setting says otherwise', () => {
  expect(deriveOtlpMaxBytes(undefined, 496 * MIB)).toBe(20 * MIB);
  expect(deriveOtlpMaxBytes(undefined, 256 * MIB)).toBe(16 * MIB);
  expect(deriveOtlpMaxBytes(undefined, 1024 * MIB)).toBe(64 * MIB);
  expect(deriveOtlpMaxBytes(undefined, 8192 * MIB)).toBe(64 * MIB);
  expect(deriveOtlpMaxBytes(5 * MIB, 512 * MIB)).toBe(5 * MIB);
});
