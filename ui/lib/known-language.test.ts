import { expect, it, onTestFinished, vi } from 'vitest';

it.each([
  ['en-US@posix', 'en-US'],
  ['de-AT', 'de-AT'],
])('makes of the language %s one that Intl knows: %s', async (spoken, known) => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('navigator', { language: spoken });
  vi.resetModules();
  await import('./known-language.ts');
  expect(navigator.language).toBe(known);
  expect(new Intl.NumberFormat(navigator.language).format(1)).toBe('1');
});
