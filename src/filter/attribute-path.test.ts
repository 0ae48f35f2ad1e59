import { describe, expect, it } from 'vitest';
import { type JsonValue, parseJson } from '#base/json';
import type { AttributeTree } from '#domain/attributes';
import { attributeAtPath } from './attribute-path.ts';

const TREE = parseJson(
  '{"tags":["a",null,["b","c"]],"o":{"tags":[1,2],"x.y":[true]},"l":[{"m":["d"]},5],"n":null,"a.b":[7],"a":{"b":[8,9]}}',
) as AttributeTree;

describe('what is at a path', () => {
  it.each<[string, JsonValue | undefined]>([
    ['tags.0', 'a'],
    ['tags.1', null],
    ['tags.2.1', 'c'],
    ['o.tags.1', 2],
    ['o.x.y.0', true],
    ['l.0.m.0', 'd'],
    ['l.1', 5],
    ['n', null],
    // A key that holds dots comes first, and what it does not have is looked for in nested ones.
    ['a.b.0', 7],
    ['a.b.1', 9],
  ])('%s: %j', (path, value) => {
    expect(attributeAtPath(TREE, path)).toEqual(value);
  });

  it.each([
    ['a place that the list does not have', 'tags.3'],
    ['a place with a sign', 'tags.-1'],
    ['a place with a leading zero', 'tags.00'],
    ['a place with an exponent', 'tags.1e0'],
    ['no place', 'tags.length'],
    ['a place in a text', 'tags.0.0'],
    ['a place in null', 'n.0'],
    ['a dot at the end', 'tags.0.'],
    ['two dots', 'tags..0'],
    ['a property of every object', 'o.constructor.name'],
    ['the prototype of every object', '__proto__.toString'],
    ['a place that no list has', 'tags.99999999999999999999'],
  ])('nothing: %s', (_what, path) => {
    expect(attributeAtPath(TREE, path)).toBeUndefined();
  });
});

describe('a path without end', () => {
  const nested = (depth: number) => Array.from({ length: depth }).reduce<JsonValue>((item) => [item], 'deep');

  it.each<[string, string, JsonValue | undefined]>([
    ['of places', `list.${'0.'.repeat(30_000)}0`, undefined],
    ['of dots', 'list'.padEnd(60_000, '.'), undefined],
    ['of keys', `${'list.'.repeat(12_000)}0`, undefined],
    ['that leads deep down', `list.${'0.'.repeat(200)}0`, 'deep'],
  ])('%s is followed in time', (_what, path, value) => {
    const tree = Object.assign(parseJson('{}') as AttributeTree, { list: nested(201) });
    const before = process.threadCpuUsage();
    expect(attributeAtPath(tree, path)).toEqual(value);
    const { user, system } = process.threadCpuUsage(before);
    // A few milliseconds; what grows with the square of the length takes seconds, with its cube hours.
    expect(user + system).toBeLessThan(500_000);
  });
});
