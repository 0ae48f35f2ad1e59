import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedText, MAX_ROW_TEXT, MAX_ROW_TEXT_BYTES, mayBeCut } from './bounded-text.ts';

describe('a bounded text', () => {
  it('is the text itself up to the bound', () => {
    const text = 'ü'.repeat(MAX_ROW_TEXT);
    expect(boundedText(text)).toBe(text);
  });

  it('keeps longer texts apart, always in the same way', () => {
    const [one, other] = [`${'x'.repeat(5000)}a`, `${'x'.repeat(5000)}b`];
    expect(boundedText(one)).toBe(boundedText(one));
    expect(boundedText(one)).not.toBe(boundedText(other));
    expect(boundedText(one)).toHaveLength(MAX_ROW_TEXT);
    expect(boundedText(boundedText(one))).toBe(boundedText(one));
  });

  it('never ends its beginning in half of a character', () => {
    const cut = boundedText('😀'.repeat(2000));
    expect(cut.isWellFormed()).toBe(true);
  });

  it('has no more bytes than an index takes, in any script, and says so where it was cut', () => {
    const script = fc.constantFrom('x', 'ü', '京', '😀', '京x', '😀京');
    fc.assert(
      fc.property(script, fc.integer({ min: 1, max: 2500 }), (letters, length) => {
        const text = letters.repeat(length).slice(0, length);
        const bounded = boundedText(text);
        expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(MAX_ROW_TEXT_BYTES);
        expect(bounded.length).toBeLessThanOrEqual(MAX_ROW_TEXT);
        expect(boundedText(bounded)).toBe(bounded);
        if (bounded !== text) expect(mayBeCut(bounded)).toBe(true);
      }),
    );
    expect(mayBeCut('京'.repeat(700))).toBe(false);
  });
});
