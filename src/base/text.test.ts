import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldCase, normalizeText } from './text.ts';

const FORMS = ['NFC', 'NFKC', 'NFKD'] as const;

describe('a normal form', () => {
  it.each(FORMS)('%s is that of Unicode for all but endless marks', (form) => {
    const unit = fc.constantFrom(
      'a',
      'é',
      'e\u0301',
      '\u0323',
      '\u0301',
      'か',
      '\u3099',
      'ᄀ',
      'ᅡ',
      '😀',
      'ﬁ',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 28 }), (text) => {
        expect(normalizeText(text, form)).toBe(text.normalize(form));
      }),
    );
  });

  it.each(FORMS)('%s takes time that is linear in the text', (form) => {
    const text = `a${'\u0301\u0323'.repeat(50_000)}`;
    const before = process.threadCpuUsage();
    const normal = normalizeText(text, form);
    // Sorting all of them at once takes half a minute.
    expect(millisecondsSince(before)).toBeLessThan(3000);
    expect(normal.length).toBeGreaterThan(text.length - 2);
  });
});

it('texts that differ in case or in how their letters are composed fold to one', () => {
  expect(foldCase('CAFE\u0301 Σοφός')).toBe(foldCase('café σοφόσ'.replace('όσ', 'ός')));
  const many = '\u0301'.repeat(100);
  expect(foldCase(`X${many}`)).toBe(foldCase(`x${many}`));
});

/** Of this thread's own work, whatever else the machine has to do. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
