import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import { flattenAttributes } from './attributes.ts';
import { MAX_SEGMENTS, unflatten } from './unflatten.ts';

describe('unflatten', () => {
  it.each<[rule: string, entries: [string, JsonValue][], stored: unknown]>([
    ['splits on dots', [['llm.token_count.total', 3]], { llm: { token_count: { total: 3 } } }],
    ['trims segments', [[' a . b ', 1]], { a: { b: 1 } }],
    ['ignores an empty segment inside', [['a..b', 1]], { a: { b: 1 } }],
    ['ignores an empty segment before', [['.a', 1]], { a: 1 }],
    ['ignores an empty segment after', [['a.', 1]], { a: 1 }],
    ['keeps the empty key', [['', 1]], { '': 1 }],
    ['keeps a key that is only dots', [['..', 1]], { '..': 1 }],
    [
      'skips nulls',
      [
        ['a', null],
        ['b', 1],
      ],
      { b: 1 },
    ],
    [
      'makes a list of digits with more behind',
      [
        ['d.0.c', 'A'],
        ['d.1.c', 'B'],
      ],
      { d: [{ c: 'A' }, { c: 'B' }] },
    ],
    [
      'takes digits at the end as a name',
      [
        ['tags.0', 'a'],
        ['tags.1', 'b'],
      ],
      { tags: { 0: 'a', 1: 'b' } },
    ],
    [
      'closes gaps in the order of indexes',
      [
        ['l.5.a', 5],
        ['l.2.a', 2],
      ],
      { l: [{ a: 2 }, { a: 5 }] },
    ],
    [
      'orders indexes as numbers',
      [
        ['l.10.a', 10],
        ['l.9.a', 9],
      ],
      { l: [{ a: 9 }, { a: 10 }] },
    ],
    [
      'ignores leading zeros of an index',
      [
        ['a.01.b', 1],
        ['a.1.c', 2],
      ],
      { a: [{ b: 1, c: 2 }] },
    ],
    [
      'knows index zero in any spelling',
      [
        ['a.00.b', 1],
        ['a.0.c', 2],
      ],
      { a: [{ b: 1, c: 2 }] },
    ],
    ['takes a negative number as a name', [['a.-1.b', 1]], { a: { '-1': { b: 1 } } }],
    ['takes digits with letters as a name', [['a.1st.b', 1]], { a: { '1st': { b: 1 } } }],
    ['takes digits at the very top as a name', [['0.a', 1]], { 0: { a: 1 } }],
    ['takes a second number in a row as a name', [['a.0.1.x', 1]], { a: [{ 1: { x: 1 } }] }],
    [
      'keeps a value before what continues its key',
      [
        ['a', 1],
        ['a.b', 2],
      ],
      { a: 1, 'a.b': 2 },
    ],
    [
      'does so in any order',
      [
        ['a.b', 2],
        ['a', 1],
      ],
      { a: 1, 'a.b': 2 },
    ],
    [
      'keeps an object before what continues its key',
      [
        ['metadata', { a: 1 }],
        ['metadata.x.y', 2],
      ],
      { metadata: { a: 1 }, 'metadata.x': { y: 2 } },
    ],
    [
      'keeps names beside a list',
      [
        ['a.0.b', 1],
        ['a.x', 2],
      ],
      { a: [{ b: 1 }], 'a.x': 2 },
    ],
    [
      'keeps a leaf beside what continues its index',
      [
        ['a.0', 1],
        ['a.0.b', 2],
      ],
      { a: { 0: 1, '0.b': 2 } },
    ],
    [
      'keeps a value beside a list',
      [
        ['a', 1],
        ['a.0.b', 2],
      ],
      { a: 1, 'a.0': { b: 2 } },
    ],
    [
      'takes the last of repeated keys',
      [
        ['a', 1],
        ['a', 2],
      ],
      { a: 2 },
    ],
    ['does not split keys inside a value', [['a', { 'b.c': 1 }]], { a: { 'b.c': 1 } }],
    [
      'takes other scripts’ digits as names',
      [
        ['a.².b', 1],
        ['a.１.b', 2],
      ],
      { a: { '²': { b: 1 }, '１': { b: 2 } } },
    ],
  ])('%s', (_rule, entries, stored) => {
    expect(toPlain(unflatten(entries))).toEqual(stored);
  });

  it('never allocates by an index', () => {
    const digits = '9'.repeat(10_000);
    expect(
      toPlain(
        unflatten([
          [`a.${digits}.b`, 2],
          ['a.999999999.b', 1],
        ]),
      ),
    ).toEqual({ a: [{ b: 1 }, { b: 2 }] });
  });

  it('reaches no prototype', () => {
    const tree = unflatten([
      ['__proto__.polluted', true],
      ['constructor.prototype.polluted', true],
      ['a.__proto__.polluted', true],
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(flattenAttributes(tree)).toEqual([
      ['__proto__.polluted', true],
      ['constructor.prototype.polluted', true],
      ['a.__proto__.polluted', true],
    ]);
  });

  it('nests as many segments as allowed and leaves a longer key whole', () => {
    const allowed = Array.from({ length: MAX_SEGMENTS }, () => 's').join('.');
    const tree = unflatten([
      [allowed, 1],
      [`t.${allowed}`, 2],
    ]);
    expect(Object.keys(tree)).toEqual(['s', `t.${allowed}`]);
    expect(flattenAttributes(tree)).toEqual([
      [allowed, 1],
      [`t.${allowed}`, 2],
    ]);
  });

  it('gives back every key and value when flattened, whatever their order', () => {
    const segment = fc.constantFrom('a', 'b', '0', '1', '7', '__proto__');
    const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('.'));
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(key, fc.integer()), { selector: ([name]) => name }),
        fc.nat(),
        (entries, at) => {
          const turned = [...entries.slice(at % (entries.length + 1)), ...entries.slice(0, at % (entries.length + 1))];
          const flat = flattenAttributes(unflatten(entries));
          expect(flat.map(([, value]) => value).toSorted(compare)).toEqual(
            entries.map(([, value]) => value).toSorted(compare),
          );
          expect(unflatten(turned)).toEqual(unflatten(entries));
        },
      ),
    );
  });

  it.each([
    ['of one list', (n: number) => `a.${n}.b`],
    ['beside each other', (n: number) => `k${n}`],
    ['of a list whose name has a value', (n: number) => (n === 0 ? 'a' : `a.${n}.b`)],
  ])('takes 200,000 keys %s, which would take hours if each looked at all others', SECONDS_ALONE, (_what, key) => {
    const tree = unflatten(Array.from({ length: 200_000 }, (_, n) => [key(n), n]));
    expect(JSON.stringify(tree)).toContain('199999');
  });
});

/** A second on a machine that does nothing else. */
const SECONDS_ALONE = { timeout: 60_000 };

function compare(a: JsonValue, b: JsonValue): number {
  return Number(a) - Number(b);
}

function toPlain(value: JsonValue): unknown {
  return JSON.parse(JSON.stringify(value));
}
