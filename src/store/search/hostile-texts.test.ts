/** The index of words and whoever looks at texts one by one agree, whatever is in the texts and whatever is looked for. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '#base/errors';
import { addValueTexts } from '#derive/search/json-texts';
import { findOccurrences, isFoundIn } from '#derive/search/match';
import { parseSearch, type SearchQuery } from '#derive/search/query';
import { makeSnippets } from '#derive/search/snippets';
import { ALL_PLACES } from '#derive/search/scope';
import { TextCollector } from '#derive/search/text-collector';
import { tokenize } from '#derive/search/tokenizer';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { openSearchable, type Searchable } from './open-searchable.fixture.ts';

/** Letters that change their length when they are folded, marks alone, signs of query languages, halves of pairs, and what is invisible. */
const PIECES = [
  'a',
  'B',
  'ab',
  '12',
  ' ',
  '_',
  '-',
  '"',
  '*',
  '^',
  ':',
  '(',
  ')',
  '{',
  '+',
  "'",
  '\\',
  '\0',
  '\n',
  '\u00a0',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u202e',
  '\u0301',
  '\u0345',
  '\u0488',
  '\u3099',
  'ß',
  'ẞ',
  'İ',
  'ı',
  'ﬁ',
  'ŉ',
  'Σ',
  'ς',
  'ǅ',
  'Å',
  'Ω',
  '\ufdfa',
  '①',
  '㈠',
  '½',
  'Ⅷ',
  'ª',
  'é',
  'e\u0301',
  '東',
  '京',
  'ｶ',
  'ﾞ',
  'か\u3099',
  '한',
  'ᄀ',
  'ภ',
  'า',
  'ﷺ',
  'क',
  '्',
  'א',
  'ָ',
  '𝒜',
  '𠮷',
  '😀',
  '👩‍👩‍👧',
  '🇩🇪',
  'AND',
  'OR',
  'NOT',
  'NEAR',
  'words',
  'parts',
];

const RANDOM_TEXTS = fc.sample(
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join('')),
  { seed: 20_261_122, numRuns: 160 },
);

const HOSTILE_TEXTS = [
  ...RANDOM_TEXTS,
  '\ud83dcut before',
  'cut after \ud83d',
  '\udc00\ud800reversed\udc00',
  `${'x'.repeat(70)} long`,
  `${'é'.repeat(70)} long`,
  `${'𝒜'.repeat(40)}`,
  `${'\u0301'.repeat(200)}a`,
  `a${'\u0301'.repeat(200)}b`,
  `${'東'.repeat(300)}`,
  'A'.repeat(600),
  `${'A'.repeat(60)}/${'B'.repeat(500)} end`,
  'aB1cD2eF3gH4',
  'words : "parts" NEAR(a b, 2) OR NOT a*',
];

/** Marks that stand in another order than Unicode wants them. */
const MARKS = '\u0301\u0323'.repeat(50_000);

/** What people might look for in a text: a piece of it, as it is, quoted, or as a beginning. */
function searchesOf(text: string, salt: number): readonly string[] {
  const units = Array.from(text);
  const start = (salt * 7) % units.length;
  const piece = units.slice(start, start + 1 + (salt % 5)).join('');
  return [piece, `"${piece.replaceAll('"', '')}"`, `${piece}*`];
}

function understood(text: string): SearchQuery | undefined {
  try {
    return parseSearch(text);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

describe('hostile texts', () => {
  let store: Searchable;
  let stored: ReadonlyMap<string, string>;

  beforeAll(async () => {
    store = await openSearchable();
    // What OTLP carries: halves of pairs become the sign for what cannot be read.
    stored = new Map(HOSTILE_TEXTS.map((text, index) => [`s${index}x`, text.toWellFormed()]));
    const spans = [...stored].map(([name, text], index) => ({
      traceId: traceId(1 + (index % 40)),
      spanId: spanId(1 + index),
      name,
      attributes: { 'output.value': text },
    }));
    for (let start = 0; start < spans.length; start += 50) await store.send(spans.slice(start, start + 50));
    await store.index();
  });

  it('are found by the index where they are found one by one', async () => {
    let [searched, hits] = [0, 0];
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      const search = searchesOf(text, index)[index % 3] ?? '';
      const query = understood(search);
      if (query === undefined) continue;
      // A text without a letter or a digit is none that is looked through.
      const expected = [...stored]
        .filter(([, one]) => /[\p{L}\p{N}]/u.test(one) && isFoundIn(query, [one]))
        .map(([name]) => name);
      const found = await store.find(search, { scope: 'output', limit: 1000 });
      expect([...found].sort(), JSON.stringify(search)).toEqual(expected.sort());
      searched++;
      hits += found.length;
    }
    expect(searched).toBeGreaterThan(100);
    expect(hits).toBeGreaterThan(searched);
  });

  it('are cut and marked where the hits are', () => {
    for (const [index, text] of HOSTILE_TEXTS.entries()) {
      const query = understood(searchesOf(text, index)[0] ?? '');
      if (query === undefined) continue;
      for (const snippet of makeSnippets(query, [[text, ALL_PLACES]], ALL_PLACES)) {
        expect(text.includes(snippet.text)).toBe(true);
        expect(snippet.hits.length, JSON.stringify(text)).toBeGreaterThan(0);
        let before = 0;
        for (const { start, end } of snippet.hits) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(snippet.text.length);
          before = end;
        }
        // A half of a pair is only at an end where the text itself has half a one.
        if (text.isWellFormed()) expect(snippet.text.isWellFormed(), JSON.stringify(text)).toBe(true);
      }
    }
  });
});

describe('half a surrogate pair', () => {
  it.each([
    ['\ud83dhello there', 'hello'],
    ['hello\ud83dthere', 'there'],
    ['\udc00hello', 'hello'],
    ['\ud83d\ud83dhello', 'hello'],
    ['\ud83d東京', '東京'],
    ['\ud83d\ude00hello', 'hello'],
  ])('takes no letter with it: %j', (text, word) => {
    expect(tokenize(text).words.map((token) => token.text)).toContain(word);
    expect(findOccurrences(text, parseSearch(word).terms)).not.toEqual([]);
  });
});

describe('a text that looks like JSON', () => {
  it.each([
    ['a string that does not end, full of quotes', `[1234567890123456,"${'\\"'.repeat(100_000)}`],
    ['the same with a backslash at its end', `[1234567890123456,"${'\\"'.repeat(100_000)}\\`],
    ['lists in lists', `${'['.repeat(100_000)}1234567890123456`],
    ['lists in lists that end', `${'['.repeat(5000)}1234567890123456${']'.repeat(5000)}`],
    ['digits', `[${'1'.repeat(200_000)}]`],
    ['numbers', `[${'1234567890123456,'.repeat(10_000)}`],
    ['blanks', `[${' '.repeat(200_000)}1234567890123456`],
  ])('is read in linear time: %s', (_what, text) => {
    const before = process.threadCpuUsage();
    addValueTexts(new TextCollector(), 'input', text);
    expect(millisecondsSince(before)).toBeLessThan(2000);
  });

  it.each([
    ['{"id":1234567890123456789}', ['id: 1234567890123456789']],
    [
      '{"id":"1234567890123456789","x":"a \\" 1234567890123456789"}',
      ['id: 1234567890123456789\nx: a " 1234567890123456789'],
    ],
    ['["1234567890123456789"', ['["1234567890123456789"']],
    ['{"a":1e400}', ['a: Infinity']],
    ['{"__proto__":"kept","constructor":"kept, too"}', ['__proto__: kept\nconstructor: kept, too']],
  ])('keeps its words: %s', (text, texts) => {
    const collector = new TextCollector();
    addValueTexts(collector, 'input', text);
    expect([...collector.texts.keys()]).toEqual(texts);
  });
});

describe('what is looked for', () => {
  it.each([
    ['"'],
    ['""'],
    ['*'],
    ['-'],
    ['^'],
    ['( ) { } [ ] : + ~'],
    ['-foo'],
    ['-"foo bar"'],
    ['\0'],
    ['\ud800'],
    ['a*'],
    ['😀'],
    [Array.from({ length: 25 }, (_, index) => `w${index}`).join(' ')],
    [Array.from({ length: 65 }, () => 'ab').join('-')],
    ['a'.repeat(1001)],
  ])('is refused with a reason where it says nothing, or too much: %j', (text) => {
    expect(() => parseSearch(text)).toThrow(AppError);
  });

  it.each([
    ['a OR', ['a', 'or']],
    ['OR a', ['or', 'a']],
    ['a OR -b', ['a', 'or', 'b']],
    ['NOT a', ['not', 'a']],
    ['a AND b', ['a', 'and', 'b']],
    ['words:a', ['words', 'a']],
    ['NEAR(a b)', ['near', 'a', 'b']],
    ['"unended', ['unended']],
    ['^start', ['start']],
  ])('is words, not syntax: %s', (text, words) => {
    expect(parseSearch(text).terms.flatMap((term) => term.words)).toEqual(words);
  });

  it('never means more than it says, whatever is typed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }), (pieces) => {
        const query = understood(pieces.join(''));
        if (query === undefined) return;
        expect(query.terms.length).toBeGreaterThan(0);
        expect(query.terms.length).toBeLessThanOrEqual(24);
        for (const { words, parts } of query.terms) {
          expect(words.length).toBeGreaterThan(0);
          for (const word of [...words, ...(parts ?? [])]) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        }
        // An empty text holds nothing.
        expect(isFoundIn(query, [''])).toBe(false);
      }),
      { seed: 20_261_122, numRuns: 300 },
    );
  });

  it('takes no time to speak of, however it is made to', () => {
    const before = process.threadCpuUsage();
    for (const text of ['"a '.repeat(300), '-'.repeat(900), 'a-'.repeat(60), '\u0301'.repeat(900), '東'.repeat(60)]) {
      understood(text);
    }
    for (const text of [
      MARKS,
      `か${MARKS}`,
      `ש${'\u05b0\u05c1'.repeat(50_000)}`,
      '東'.repeat(50_000),
      'aB1'.repeat(50_000),
    ]) {
      tokenize(text);
    }
    expect(millisecondsSince(before)).toBeLessThan(5000);
  });
});

/** Of this thread's own work, whatever else the machine has to do. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
