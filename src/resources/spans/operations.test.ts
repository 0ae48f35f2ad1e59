import { describe, expect, it } from 'vitest';
import { UnprocessableError } from '#api/rest/unprocessable';
import { JsonNumber, parseJson } from '#base/json';
import { parseAttributeEquals, toSpanFilter } from './operations.ts';

describe('parseAttributeEquals', () => {
  it.each([
    ['llm.model_name:gpt-4', 'llm.model_name', 'gpt-4'],
    ['session.id:sess:abc:123', 'session.id', 'sess:abc:123'],
    ['session.id:"sess:abc:123"', 'session.id', 'sess:abc:123'],
    ['user.id:12345', 'user.id', 12_345],
    ['user.id:"12345"', 'user.id', '12345'],
    ['x:1.0', 'x', new JsonNumber('1.0')],
    ['x:1', 'x', 1],
    ['x:0.5', 'x', 0.5],
    ['x:9007199254740993', 'x', new JsonNumber('9007199254740993')],
    ['flag:true', 'flag', true],
    ['flag:false', 'flag', false],
    ['flag:True', 'flag', 'True'],
    ['flag:"true"', 'flag', 'true'],
    ['x:NaN', 'x', 'NaN'],
    ['x:nullable', 'x', 'nullable'],
    ['x:[1', 'x', '[1'],
    ['x: ', 'x', ' '],
    ['x:""', 'x', ''],
  ])('reads %s', (text, path, value) => {
    const equals = parseAttributeEquals(text);
    expect(equals.path).toBe(path);
    expect(parseJson(equals.json)).toEqual(value);
  });

  it.each([
    ['llm.model_name', 'key:value'],
    ['', 'key:value'],
    [':value', 'the key must not be empty'],
    ['key:', 'the value must not be empty'],
    ['key:null', 'the value must be'],
    ['key: null ', 'the value must be'],
    ['key:[1]', 'the value must be'],
    ['key:{}', 'the value must be'],
  ])('refuses %j', (text, reason) => {
    expect(() => parseAttributeEquals(text)).toThrow(UnprocessableError);
    expect(() => parseAttributeEquals(text)).toThrow(reason);
  });

  it('takes JSON that is nested beyond reason as text', () => {
    const deep = '['.repeat(100_000);
    expect(parseAttributeEquals(`key:${deep}`)).toEqual({ path: 'key', json: JSON.stringify(deep) });
  });
});

describe('toSpanFilter', () => {
  it('narrows by nothing but the project where nothing is asked for', () => {
    expect(toSpanFilter(1, {})).toEqual({ projectRowId: 1 });
  });

  it('takes kinds and statuses in any letter case', () => {
    expect(toSpanFilter(1, { span_kind: ['llm', 'Decision'], status_code: ['error', 'UNSET'] })).toMatchObject({
      kinds: ['LLM', 'DECISION'],
      statusCodes: ['ERROR', 'UNSET'],
    });
  });

  it.each([{ span_kind: ['LLM', 'ROBOT'] }, { status_code: ['FAILED'] }, { span_kind: [''] }])(
    'refuses %j',
    (criteria) => {
      expect(() => toSpanFilter(1, criteria)).toThrow(UnprocessableError);
    },
  );

  it('reads the text null as no parent, and any other as its id', () => {
    expect(toSpanFilter(1, { parent_id: 'null' }).parentSpanId).toBeNull();
    expect(toSpanFilter(1, { parent_id: 'b7ad6b7169203331' }).parentSpanId).toBe('b7ad6b7169203331');
    expect(toSpanFilter(1, {}).parentSpanId).toBeUndefined();
  });
});
