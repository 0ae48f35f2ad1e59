import { describe, expect, it } from 'vitest';
import { otlpMap } from '../../test/support/otlp-span.ts';
import { readJsonContainer, readJsonItems, readJsonText, toJsonText, toJsonValue } from './json-value.ts';

describe('toJsonValue', () => {
  it.each([
    ['text', 'a', '"a"'],
    ['an integer', 12n, '12'],
    ['an integer beyond 2^53', 9223372036854775807n, '9223372036854775807'],
    ['the least integer', -9223372036854775808n, '-9223372036854775808'],
    ['a double', 0.5, '0.5'],
    ['a whole double, told from an integer', 12, '12.0'],
    ['NaN', Number.NaN, '"NaN"'],
    ['infinity', Number.NEGATIVE_INFINITY, '"-Infinity"'],
    ['a boolean', false, 'false'],
    ['bytes, as base64', Uint8Array.of(0, 255, 16), '"AP8Q"'],
    ['a list with anything in it', ['a', null, [1n]], '["a",null,[1]]'],
    ['a map, dots in its keys unsplit', otlpMap({ 'a.b': 1n, c: null }), '{"a.b":1,"c":null}'],
  ])('keeps %s', (_what, value, json) => {
    expect(JSON.stringify(toJsonValue(value))).toBe(json);
  });

  it('reads bytes that are a view of a larger buffer', () => {
    expect(toJsonValue(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toBe('AgM=');
  });

  it('takes the last of repeated keys of a map', () => {
    const map = {
      entries: [
        { key: 'a', value: 1n },
        { key: 'a', value: 2n },
      ],
    };
    expect(JSON.stringify(toJsonValue(map))).toBe('{"a":2}');
  });

  it('replaces NUL and lone surrogates, in keys too', () => {
    const map = otlpMap({ 'k\0': 'a\0b', ['\ud800']: ['\udc00x', '👩'] });
    expect(JSON.stringify(toJsonValue(map))).toBe('{"k\ufffd":"a\ufffdb","\ufffd":["\ufffdx","👩"]}');
  });
});

describe('readJsonText', () => {
  it.each([
    ['5', '5'],
    ['"a"', '"a"'],
    ['null', 'null'],
    [' [1, {"a": {}}] ', '[1,{"a":{}}]'],
    ['1.0', '1.0'],
    ['[1.50, 1.0, 2e3]', '[1.5,1.0,2e3]'],
    ['{"n": 12345678901234567890, "m":-9007199254740993}', '{"n":12345678901234567890,"m":-9007199254740993}'],
    ['[0.1234567890123456789]', '[0.1234567890123456789]'],
    ['{"a":12345678901234.5678}', '{"a":12345678901234.5678}'],
    ['[1.23456789012345678, 123456789012345.67]', '[1.23456789012345678,123456789012345.67]'],
    ['[1.5, 0.30000000000000004, 123456789.123456]', '[1.5,0.30000000000000004,123456789.123456]'],
  ])('reads %s exactly', (text, json) => {
    expect(JSON.stringify(readJsonText(text))).toBe(json);
  });

  it.each(['', 'text', '{', "{'a': 1}", '[1,]', 'NaN'])('tells that %j is no JSON', (text) => {
    expect(readJsonText(text)).toBeUndefined();
  });

  it('makes escaped NUL and lone surrogates storable, in keys too', () => {
    const read = readJsonText(String.raw`{"a\u0000":"\ud800","b":["\u0000"]}`);
    expect(JSON.stringify(read)).toBe('{"a\ufffd":"\ufffd","b":["\ufffd"]}');
  });

  it('gives objects without prototypes', () => {
    const read = readJsonText('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    expect(Object.getPrototypeOf(read)).toBeNull();
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('leaves JSON that is nested too deep as it is', () => {
    expect(readJsonText(`${'['.repeat(64)}${']'.repeat(64)}`)).toBeDefined();
    expect(readJsonText(`${'['.repeat(65)}${']'.repeat(65)}`)).toBeUndefined();
    expect(readJsonText(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)).toBeUndefined();
    expect(readJsonText(`${'[1.0,'.repeat(100_000)}1${']'.repeat(100_000)}`)).toBeUndefined();
  });
});

describe('JSON that would take far more memory than its text', () => {
  it('stays text', () => {
    expect(readJsonText(`[${Array(1000).fill('{}').join(',')}]`)).toBeUndefined();
    expect(readJsonText(`[${Array(1000).fill('[1,2]').join(',')}]`)).toHaveLength(1000);
    expect(readJsonText(`[${Array(60).fill('{}').join(',')}]`)).toHaveLength(60);
  });

  it('stays text sooner where it is long', () => {
    const points = (count: number) => `[${Array(count).fill('[0.125,0.25]').join(',')}]`;
    expect(readJsonText(points(50_000))).toHaveLength(50_000);
    expect(readJsonText(points(500_000))).toBeUndefined();
    expect(readJsonText(`[${Array(1_000_000).fill('1').join(',')}]`)).toBeUndefined();
    const prose = `[${Array(30_000)
      .fill(JSON.stringify({ text: 'x, y, [z] '.repeat(30) }))
      .join(',')}]`;
    expect(readJsonText(prose)).toHaveLength(30_000);
  });

  it('is not told by brackets inside strings', () => {
    const text = JSON.stringify(['[{'.repeat(1000), String.raw`\"[`.repeat(1000), '\\'.repeat(7)]);
    expect(readJsonText(text)).toEqual(JSON.parse(text));
    expect(readJsonText('"[[['.repeat(1000))).toBeUndefined();
  });

  it('stays text sooner where each item becomes several objects', () => {
    const message = '{"role":"user","parts":[{"type":"text","content":"a"}]}';
    expect(readJsonItems(`[${Array(1000).fill(message).join(',')}]`)).toHaveLength(1000);
    for (const item of ['{"a":1}', '"a"', '1', '{"role":"u","parts":[{}]}']) {
      expect(readJsonItems(`[${Array(1000).fill(item).join(',')}]`)).toBeUndefined();
      expect(readJsonItems(`[${Array(8).fill(item).join(',')}]`)).toHaveLength(8);
    }
  });
});

describe('readJsonContainer', () => {
  it('takes objects and lists only', () => {
    expect(readJsonContainer(' {"a":1}')).toEqual(readJsonText('{"a":1}'));
    expect(readJsonContainer('[]')).toEqual([]);
    expect(['5', '"[]"', 'null', '[ text', ''].map(readJsonContainer)).toEqual(Array(5).fill(undefined));
  });
});

describe('toJsonText', () => {
  it('leaves text as it is and writes anything else as JSON', () => {
    expect(toJsonText('{ "a": 1 }')).toBe('{ "a": 1 }');
    expect(toJsonText([1, 'a'])).toBe('[1,"a"]');
  });
});
