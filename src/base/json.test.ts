import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { isJsonObject, JsonNumber, markLosses, parseJson, stringifyJson, tryParseJson, unmarkNumbers } from './json.ts';

const rawJson = JSON as { rawJSON?: unknown };
const { rawJSON } = rawJson;

afterEach(() => {
  rawJson.rawJSON = rawJSON;
});

describe.each([
  ['with raw JSON', true],
  ['in a browser without it', false],
])('JSON %s', (_, hasRawJson) => {
  const prepare = () => {
    if (!hasRawJson) rawJson.rawJSON = undefined;
  };

  it('keeps every digit of its numbers', () => {
    prepare();
    const text =
      '{"wide":12345678901234567890,"whole":1.0,"list":[-0.0,1e3,2.5,7,-9007199254740993],"text":"1.0 and \\"2.0\\" \\\\"}';
    const value = parseJson(text);
    expect(stringifyJson(value)).toBe(text);
    expect(isJsonObject(value) && value['wide']).toEqual(new JsonNumber('12345678901234567890'));
    expect(isJsonObject(value) && value['text']).toBe('1.0 and "2.0" \\');
    expect(Object.getPrototypeOf(value)).toBeNull();
    expect(stringifyJson(parseJson('[1.0,{"a":2.0}]'), 2)).toBe('[\n  1.0,\n  {\n    "a": 2.0\n  }\n]');
  });

  it('keeps decimals of more digits than a double has, and only those as text', () => {
    prepare();
    const text = '[12345678901234.5678,0.1234567890123456789,999999999999999.99999,1.00000000000000000001e-7]';
    expect(stringifyJson(parseJson(text))).toBe(text);
    expect(parseJson('[0.30000000000000004,-1.2500000000000000,1234567890.123456e-10]')).toEqual([
      0.30000000000000004, -1.25, 1234567890.123456e-10,
    ]);
  });

  it('is refused where it is none', () => {
    prepare();
    for (const text of ['', '01.0', '1.', '1.2.3', '--1', '[1.0', '"a', '{"a":1.0e}', 'NaN', '1.0 2.0']) {
      expect(tryParseJson(text), text).toBeUndefined();
    }
  });
});

describe('numbers of a large body', () => {
  const read = (text: string) => unmarkNumbers(JSON.parse(markLosses(text)), (field) => field === 'kept');

  it('keep their digits within the fields, however deep, and are ordinary numbers elsewhere', () => {
    const text = '{"kept":{"a":[9007199254740993,1.0,1e400,0.1,"1.0"]},"other":[9007199254740993,1.0,-2.50]}';
    const value = read(text);
    expect(JSON.stringify(value)).toBe(
      '{"kept":{"a":[9007199254740993,1.0,1e400,0.1,"1.0"]},"other":[9007199254740992,1,-2.5]}',
    );
  });

  it('leave a text without such numbers alone', () => {
    const text = '{"a":[1,-2,0.1428571428571428,123456789012345,"12345678901234567890","\\"1.0"]}';
    expect(markLosses(text)).toBe(text);
  });

  it.each(['1.', '01.0', '1.0e', '--1.0', '1.0.0'])('leave %s to the parser, which refuses it', (text) => {
    expect(() => JSON.parse(markLosses(text))).toThrow(SyntaxError);
  });

  it('agree with the exact parser', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.array(fc.tuple(fc.bigInt(), fc.nat()), { maxLength: 5 }),
        (json, numbers) => {
          const text = `{"kept":[${[json, ...numbers.map(([whole, part]) => `${whole}.${part}`), ...numbers.map(([whole]) => whole)].join(',')}]}`;
          expect(JSON.stringify(read(text))).toBe(stringifyJson(parseJson(text)));
        },
      ),
    );
  });
});
