import { describe, expect, it } from 'vitest';
import { JsonNumber, parseJson } from '#base/json';
import type { AttributeTree } from '#domain/attributes';
import { unpackMembers, unpackNames } from './narrow-codes.ts';
import { listPrefix, narrowAttributes, preview } from './narrow-row.ts';

describe('narrow attributes', () => {
  it('keep short scalars by their dotted keys, types included', () => {
    const tree = parseJson(
      '{"llm":{"model_name":"m","token_count":{"prompt":3}},"ok":true,"t":1.0,"n":null}',
    ) as AttributeTree;
    const narrow = narrowAttributes(Object.entries(tree));
    expect(unpackMembers(narrow.text)).toBe('{"llm.model_name":"m","llm.token_count.prompt":3,"ok":true,"t":1.0}');
    expect(narrow).toMatchObject({ omitted: '["n"]', isCut: false });
  });

  it('list what they leave out: long texts, plain lists, and lists of objects by what precedes the index', () => {
    const tree = {
      long: 'x'.repeat(257),
      tags: ['a', 'b'],
      llm: { input_messages: [{ message: { role: 'user' } }, { message: { role: 'tool' } }] },
    };
    const narrow = narrowAttributes(Object.entries(tree));
    expect(narrow.text).toBe('{}');
    expect(JSON.parse(unpackNames(narrow.omitted ?? ''))).toEqual(['long', 'tags', 'llm.input_messages.']);
  });

  it('name each list once, whatever its keys look like, and stop at the first index', () => {
    const tree = parseJson(
      '{"a":[{},1],"b":{"0":{"c":1},"1":2,"d":[{"e":1}]},"f.0.g":{"h":1},"i":{}}',
    ) as AttributeTree;
    expect(narrowAttributes(Object.entries(tree))).toEqual({
      text: '{}',
      omitted: '["a.","b.","b.d.","f.","i"]',
      isCut: false,
    });
  });

  it('say where a bound cut', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key-${index}`, index]));
    const narrow = narrowAttributes(Object.entries(many));
    expect(narrow.isCut).toBe(true);
    expect(Object.keys(JSON.parse(narrow.text) as object)).toHaveLength(256);
    expect(narrowAttributes([['inside', many]])).toMatchObject({ isCut: true });
  });

  it('stay valid JSON for hostile keys and values', () => {
    const tree = { 'a"b\\': '\u2028"', __proto__x: new JsonNumber('9223372036854775807') };
    expect(narrowAttributes(Object.entries(tree)).text).toBe(
      '{"a\\"b\\\\":"\u2028\\"","__proto__x":9223372036854775807}',
    );
  });
});

describe('a list prefix', () => {
  it('is the key up to its first index', () => {
    expect(listPrefix('llm.input_messages.0.message.role')).toBe('llm.input_messages.');
    expect(listPrefix('a.1')).toBe('a.');
    expect(listPrefix('a.b1.c')).toBeUndefined();
  });
});

describe('a preview', () => {
  it('is the first 100 characters and never half of one', () => {
    expect(preview('a'.repeat(300))).toHaveLength(100);
    expect(preview(`${'a'.repeat(99)}😀b`)).toBe(`${'a'.repeat(99)}😀`);
    expect(preview('😀'.repeat(101))).toBe('😀'.repeat(100));
    expect(preview('short')).toBe('short');
  });
});
