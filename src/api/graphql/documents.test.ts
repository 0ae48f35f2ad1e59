import { buildSchema } from 'graphql';
import { beforeEach, describe, expect, it } from 'vitest';
import { Documents } from './documents.ts';

let documents: Documents;

beforeEach(() => {
  documents = new Documents(buildSchema('type Query { a: Int }'));
});

/** Different texts of one length. */
function textOf(number: number, length: number): string {
  return `{ a } # ${number} `.padEnd(length, '.');
}

describe('documents', () => {
  it('are read once, also where they are wrong', () => {
    expect(documents.read('{ a }')).toBe(documents.read('{ a }'));
    expect(documents.read('{ b }')).toMatchObject({ errors: [{ message: expect.stringContaining('"b"') }] });
    expect(documents.read('{ b }')).toBe(documents.read('{ b }'));
  });

  it.each([
    { length: 20, kept: 200 },
    { length: 4000, kept: 50 },
    { length: 20_000, kept: 10 },
    { length: 20_001, kept: 0 },
  ])('of $length characters are remembered until there are $kept later ones', ({ length, kept }) => {
    const first = documents.read(textOf(0, length));
    for (let number = 1; number < kept; number++) documents.read(textOf(number, length));
    const isRemembered = documents.read(textOf(0, length)) === first;
    expect(isRemembered).toBe(kept > 0);
    documents.read(textOf(kept, length));
    expect(documents.read(textOf(0, length))).not.toBe(first);
  });

  it('that are nested too deeply or have too many words are refused each time', () => {
    const nested = `${'{a'.repeat(2400)}${'}'.repeat(2400)}`;
    const long = `{ ${'a '.repeat(6000)} }`;
    for (let turn = 0; turn < 2; turn++) {
      expect(() => documents.read(nested)).toThrow();
      expect(() => documents.read(long)).toThrow('tokens');
    }
  });
});
