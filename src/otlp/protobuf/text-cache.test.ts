import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextCache } from './text-cache.ts';

describe('TextCache', () => {
  it('returns the text of the bytes, whatever was asked for before', () => {
    const cache = new TextCache();
    const texts = fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.string({ unit: 'binary', maxLength: 200 })));
    fc.assert(
      fc.property(texts, (values) => {
        for (const value of [...values, ...values]) {
          const bytes = Buffer.from(`<${value}>`);
          expect(cache.get(bytes, 1, bytes.length - 1)).toBe(value);
        }
      }),
    );
  });

  it('does not take bytes for a text whose characters have their numbers', () => {
    const cache = new TextCache();
    // So many that the bytes of a text and its characters as bytes share a slot again and again.
    for (let number = 0; number < 50_000; number++) {
      const text = String.fromCharCode(0xc0 + (number % 60), 0x80 + ((number / 60) % 60), 0x80 + number / 3600);
      const [utf8, latin1] = [Buffer.from(text, 'utf8'), Buffer.from(text, 'latin1')];
      expect(cache.get(utf8, 0, utf8.length)).toBe(text);
      expect(cache.get(latin1, 0, latin1.length)).toBe(latin1.toString('utf8'));
    }
  });
});
