import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { formatFilter } from './format.ts';
import { MAX_FILTER_LENGTH, MAX_NESTING, MAX_TERMS } from './limits.ts';
import { parseFilter } from './parse-filter.ts';
import { plainSubject } from './plain-subject.fixture.ts';

const faults = (text: string) =>
  parseFilter('span', text).diagnostics.map(({ code, message }) => `${code}: ${message}`);

const TOO_MANY = `too_many_terms: the filter has more than ${MAX_TERMS} comparisons: compare with lists instead, as in \`x in ['a', 'b']\``;
const TOO_DEEP = `too_deep: the filter is nested too deeply here: at most ${MAX_NESTING} brackets, \`not\` and operators can be nested`;

describe('too much', () => {
  it('of text', () => {
    const text = `name == '${'a'.repeat(MAX_FILTER_LENGTH)}'`;
    expect(faults(text)).toEqual([
      `too_long: the filter is too long: it has ${text.length} characters, and the limit is 65536`,
    ]);
    expect(faults(Array.from({ length: 10_000 }, () => "name == 'a'").join(' or '))).toEqual([
      'too_long: the filter is too long: it has 149996 characters, and the limit is 65536',
    ]);
  });

  it.each(['a==1', "annotations['a']", '1<a', 'parent_span is None'])('of terms: %s', (term) => {
    const count = Math.min(10_000, Math.floor(MAX_FILTER_LENGTH / (term.length + 4)));
    const expected = count > MAX_TERMS ? [TOO_MANY] : [];
    expect(faults(Array.from({ length: count }, () => term).join(' or '))).toEqual(expected);
  });

  it('of terms in a chain', () => {
    expect(faults(`a${'<1'.repeat(10_000)}`)).toEqual([TOO_MANY]);
  });

  it.each([
    ['brackets', (depth: number) => `${'('.repeat(depth)}a == 1${')'.repeat(depth)}`],
    ['open brackets', (depth: number) => '('.repeat(depth)],
    ['lists', (depth: number) => `a in ${'['.repeat(depth)}1${']'.repeat(depth)}`],
    ['subscripts', (depth: number) => `${'a['.repeat(depth)}1${']'.repeat(depth)} == 1`],
    ['negations', (depth: number) => `${'not '.repeat(depth)}a == 1`],
    ['signs', (depth: number) => `${'-'.repeat(depth)}a == 1`],
    ['operators', (depth: number) => `a${' + 1'.repeat(depth)} == 1`],
    ['calls', (depth: number) => `${'float('.repeat(depth)}a${')'.repeat(depth)} == 1`],
    ['brackets around operators', (depth: number) => `${'('.repeat(depth)}a == 1${' + 1)'.repeat(depth)} == 1`],
    ['loops', (depth: number) => `${'any('.repeat(depth)}x.cost > 1${' for x in cost_details)'.repeat(depth)}`],
    ['conjunctions', (depth: number) => `${'(a == 1 and (b == 1 or '.repeat(depth)}c == 1${'))'.repeat(depth)}`],
  ])('nesting of %s', (_what, nest) => {
    for (const depth of [1_000, 1_500]) expect(faults(nest(depth))).toContain(TOO_DEEP);
    expect(faults(nest(10))).not.toContain(TOO_DEEP);
  });

  it('of annotations', () => {
    const text = Array.from({ length: 40 }, (_, index) => `annotations['n${index}']`).join(' or ');
    expect(faults(text)).toEqual([
      'too_many_annotations: the filter names more than 16 annotations: ask for fewer at a time',
    ]);
  });

  it('wrong: of many faults the first fifty are told', () => {
    expect(faults(Array.from({ length: 1000 }, (_, index) => `start_time == ${index}`).join(' or '))).toHaveLength(50);
  });
});

it('reads lists of thousands of values', () => {
  const ids = Array.from({ length: 1800 }, (_, index) => index.toString(16).padStart(32, '0'));
  const { condition } = parseFilter('span', `trace_id in [${ids.map((id) => `'${id}'`).join(',')}]`);
  expect(condition).toMatchObject({ kind: 'member', list: { length: 1800 } });
});

/** Texts that grow, of which twice as much must not take much more than twice as long. */
const GROWING: readonly (readonly [name: string, unit: string])[] = [
  ['backslashes', "'\\"],
  ['quotes', "'"],
  ['open texts', "'''a''"],
  ['digits', '1'],
  ['digits with underscores', '1_'],
  ['dots and digits', '.1'],
  ['names', 'a '],
  ['paths', 'a.'],
  ['closing brackets', ')'],
  ['commas', ','],
  ['wrong characters', '$'],
  ['wrong names', 'x == '],
  ['combining marks', 'a\u0301'],
  ['blanks', ' \n'],
  ['strange blanks', '\u2003'],
  ['loops', ' for x in y '],
  ['escapes', "'\\N{"],
  ['typographic marks', '“'],
  ['closing quotes', "a' "],
  ['texts that go on', "' in a\n"],
  ['addresses', 'a@'],
  ['words without quotes', 'a b '],
  ['words in brackets', '(a b, '],
  ['words that are negated', 'not a in b '],
  ['words in sentences', 'a b or '],
  ['doubled quotes', "''a"],
  ['quotes of two kinds', `'a" `],
  ['backticks', '`a'],
  ['amounts', '1h30m '],
];

it.each(GROWING)('reads %s in time', (_name, unit) => {
  const text = unit.repeat(Math.floor(MAX_FILTER_LENGTH / unit.length));
  const before = process.threadCpuUsage();
  parseFilter('span', text);
  const { user, system } = process.threadCpuUsage(before);
  // A tenth of a second at most; what grows with the square of the length takes many seconds.
  expect(user + system).toBeLessThan(2_000_000);
});

const WORDS =
  `and or not in is for if None True any len float spans cost_details name a.b annotations attributes metadata
  parent_span start_time constructor d s 0 12 1e5 'x' ' " \\ . , ( ) [ ] { } == < - * $ “ '2026-07-01T00:00:00Z'`.split(
    /\s+/,
  );

describe('odd input', () => {
  it('is answered, whatever it is', () => {
    const words = fc.constantFrom(...WORDS, '\n');
    const text = fc.oneof(
      fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
      fc.array(words, { maxLength: 30 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.constantFrom('span', 'trace', 'session'), text, (grain, filter) => {
        const { condition, diagnostics } = parseFilter(grain, filter);
        const errors = diagnostics.filter(({ severity }) => severity === 'error');
        expect(condition === null).toBe(errors.length > 0 || filter.trim() === '');
        for (const { start, end, message } of diagnostics) {
          expect(0 <= start && start <= end && end <= filter.length).toBe(true);
          expect(message).not.toMatch(/undefined|\[object|NaN/);
        }
        if (condition === null) return;
        expect(typeof evaluate(condition, plainSubject({}))).toBe('boolean');
        expect(parseFilter(grain, formatFilter(grain, condition)).condition).toEqual(condition);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a == 1e309', 'bad_number'],
    [`a == 1${'0'.repeat(400)}`, 'bad_number'],
    [`a == 0x${'f'.repeat(40_000)}`, 'bad_number'],
    ['a == nan', undefined],
    ['constructor == 1 and __proto__ == 2 and toString == 3', undefined],
    ['constructor(a) == 1', 'unknown_name'],
    [`annotations['a'].constructor == 1`, 'unknown_name'],
    ['a\0', 'nul'],
    ["a == '\\0'", 'nul'],
    ['ｌａｔｅｎｃｙ_ms > 1', 'look_alike'],
    ["ａnnotations['x']", 'look_alike'],
    ['ſpan_kind == 1', 'look_alike'],
  ])('%j: %s', (text, code) => {
    expect(parseFilter('span', text).diagnostics.map((fault) => fault.code)).toEqual(code === undefined ? [] : [code]);
  });
});
