import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonValue, parseJson } from '#base/json';
import { type AttributeTree, attributeAt, flattenAttributes } from './attributes.ts';

describe('flattenAttributes', () => {
  it('joins keys with dots and counts items of lists that hold objects', () => {
    expect(flattenAttributes(tree('{"a":{"b":1,"c":{"d":"x"}},"l":[{"m":1},{"m":2}]}'))).toEqual([
      ['a.b', 1],
      ['a.c.d', 'x'],
      ['l.0.m', 1],
      ['l.1.m', 2],
    ]);
  });

  it('keeps lists of scalars and empty containers as values', () => {
    expect(flattenAttributes(tree('{"tags":["a","b"],"none":[],"empty":{}}'))).toEqual([
      ['tags', ['a', 'b']],
      ['none', []],
      ['empty', {}],
    ]);
  });

  it('gives nothing for a tree without attributes', () => {
    expect(flattenAttributes(tree('{}'))).toEqual([]);
  });
});

describe('attributeAt', () => {
  const attributes = tree('{"a":{"b":{"c":1},"x.y":2},"a.b.d":3,"l":[{"m":{"n":4}},5],"tags":["t"]}');

  it.each<[string, JsonValue]>([
    ['a.b.c', 1],
    ['a.x.y', 2],
    ['a.b.d', 3],
    ['l.0.m.n', 4],
    ['l.1', 5],
    ['tags', ['t']],
  ])('finds %s', (path, value) => {
    expect(attributeAt(attributes, path)).toEqual(value);
  });

  it.each(['a.b.e', 'l.2.m', 'l.00.m.n', 'l.-1', 'l.length', 'tags.0', 'a.b.c.d', '__proto__', 'constructor', ''])(
    'finds nothing at %j',
    (path) => {
      expect(attributeAt(attributes, path)).toBeUndefined();
    },
  );

  it('prefers the key that holds the whole path', () => {
    expect(attributeAt(tree('{"a":{"b":1},"a.b":2}'), 'a.b')).toBe(2);
  });

  it('finds every value at the path that flattening gives it, where no two share a path', () => {
    const key = fc.stringMatching(/^[a-z]{1,3}$/);
    const { object } = fc.letrec<{ object: unknown; value: unknown }>((tie) => ({
      object: fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      value: fc.oneof({ depthSize: 'small' }, fc.integer(), fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    }));
    fc.assert(
      fc.property(object, (value) => {
        const attributes = tree(JSON.stringify(value));
        for (const [path, expected] of flattenAttributes(attributes)) {
          expect(attributeAt(attributes, path)).toEqual(expected);
        }
      }),
    );
  });
});

function tree(json: string): AttributeTree {
  return parseJson(json) as AttributeTree;
}
