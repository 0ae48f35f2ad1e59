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
    const accent = Buffer.from('é');
    expect(cache.get(accent, 0, 2)).toBe('é');
    expect(cache.get(Buffer.from([0xe9]), 0, 1)).toBe('\uFFFD');
    expect(cache.get(Buffer.from('Ã©', 'latin1'), 0, 2)).toBe('é');
  });
});
