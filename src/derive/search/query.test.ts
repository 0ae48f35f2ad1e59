import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFoundIn } from './match.ts';
import { parseSearch } from './query.ts';

/** Whether the search finds a span that holds these texts. */
function finds(search: string, ...texts: string[]): boolean {
  return isFoundIn(parseSearch(search), texts);
}

describe('a search', () => {
  it('wants all words, in any of the texts', () => {
    expect(finds('refund order', 'my refund', 'the order')).toBe(true);
    expect(finds('refund order', 'my refund')).toBe(false);
    expect(finds('REFUND Größe', 'refund grosse')).toBe(true);
  });

  it('wants phrases in one text, in order', () => {
    expect(finds('"my refund"', 'where is my refund?')).toBe(true);
    expect(finds('"my refund"', 'my', 'refund')).toBe(false);
    expect(finds('"my refund', 'my Refund')).toBe(true);
    expect(finds('"my ref"*', 'my refund')).toBe(true);
  });

  it('takes beginnings, exclusions and alternatives', () => {
    expect(finds('ref*', 'refund')).toBe(true);
    expect(finds('ref', 'refund')).toBe(false);
    expect(finds('refund -order', 'refund', 'order')).toBe(false);
    expect(finds('refund -"an order"', 'refund order')).toBe(true);
    expect(finds('a OR b c', 'b c')).toBe(true);
    expect(finds('a OR b c', 'a b')).toBe(false);
    expect(finds('OR', 'or')).toBe(true);
    expect(finds('"OR" x', 'x or')).toBe(true);
  });

  it('finds identifiers whole and by their parts', () => {
    const text = 'call getUserName(order_id) of order1234 for 2f6c41d0-9a7e-4c1b';
    for (const search of [
      'getUserName',
      'getusername',
      'user',
      'order_id',
      'order id',
      'order1234',
      '1234',
      '2f6c41d0-9a7e-4c1b',
      '9a7e',
      '"call getUserName order_id"',
    ]) {
      expect([search, finds(search, text)]).toEqual([search, true]);
    }
    expect(finds('getUserId', text)).toBe(false);
  });

  it('finds every part of a text without spaces', () => {
    const text = '東京都へ行く gpt模型';
    for (const search of [
      '東',
      '京',
      '都へ',
      '京都へ',
      '行く',
      'く',
      '東京都へ行く',
      '模型',
      '"gpt模型"',
      '"行く gpt"',
    ]) {
      expect([search, finds(search, text)]).toEqual([search, true]);
    }
    expect(finds('京東', text)).toBe(false);
    expect(finds('"行 gpt"', text)).toBe(false);
  });

  it('says what is wrong with one that finds nothing or too much', () => {
    expect(() => parseSearch('  "" ** -- ')).toThrow('no word to search for');
    expect(() => parseSearch('-foo')).toThrow('at least one word to find');
    expect(() => parseSearch('a*')).toThrow('at least 2 letters');
    expect(() => parseSearch('word '.repeat(25))).toThrow('at most 24 words');
    expect(() => parseSearch(`"${'a '.repeat(100)}"`)).toThrow('at most 64 words');
    expect(() => parseSearch('x'.repeat(1001))).toThrow('at most 1000 characters');
  });

  it('is never a syntax error', () => {
    const piece = fc.constantFrom(
      '"',
      '*',
      '-',
      'OR',
      'AND',
      'NOT',
      'NEAR(',
      ')',
      '^',
      ':',
      '{a}',
      '+',
      'foo',
      "'",
      '東',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          parseSearch(pieces.join(''));
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_argument' });
        }
      }),
    );
  });
});
