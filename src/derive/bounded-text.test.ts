import { describe, expect, it } from 'vitest';
import { boundedText, MAX_ROW_TEXT } from './bounded-text.ts';

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
});
