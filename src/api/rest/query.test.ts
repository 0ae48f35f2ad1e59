import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pageFields, parseQuery, queryBoolean, queryInteger, queryTime } from './query.ts';
import { ValidationError } from './validation.ts';

const SCHEMA = z.object({
  name: z.string().optional(),
  id: z.array(z.string()).optional(),
  word: z.array(z.enum(['a', 'b'])).default([]),
  flag: queryBoolean().optional(),
  since: queryTime().optional(),
  count: queryInteger(1, 10).optional(),
});

function refusal(text: string) {
  try {
    parseQuery(SCHEMA, text);
  } catch (error) {
    if (error instanceof ValidationError) return error.details;
    throw error;
  }
  throw new Error(`${text} was accepted.`);
}

describe('parseQuery', () => {
  it('reads repeated names as lists, and one as a list of one', () => {
    expect(parseQuery(SCHEMA, 'id=x&id=y&word=a')).toEqual({ id: ['x', 'y'], word: ['a'] });
  });

  it('takes the last value where no list is taken', () => {
    expect(parseQuery(SCHEMA, 'name=x&name=y')).toEqual({ name: 'y', word: [] });
  });

  it('keeps commas, and decodes the rest as forms are encoded', () => {
    expect(parseQuery(SCHEMA, 'id=a,b&name=%C3%BC+%2B%26')).toMatchObject({ id: ['a,b'], name: 'ü +&' });
  });

  it('ignores names that the route does not know, also those that objects have', () => {
    expect(parseQuery(SCHEMA, 'unknown=1&__proto__=1&constructor=1')).toEqual({ word: [] });
  });

  it('says which value is wrong, and where', () => {
    expect(refusal('count=0&name=x&flag=maybe')).toEqual([
      {
        type: 'value_error',
        loc: ['query', 'flag'],
        msg: 'Input should be a valid boolean, unable to interpret input',
        input: 'maybe',
      },
      {
        type: 'value_error',
        loc: ['query', 'count'],
        msg: 'Input should be greater than or equal to 1',
        input: '0',
      },
    ]);
    expect(refusal('word=a&word=c')).toMatchObject([{ loc: ['query', 'word', 1], input: 'c' }]);
  });

  it('does not repeat more of a wrong value than helps', () => {
    expect(String(refusal(`count=${'9'.repeat(5000)}`)[0]?.input)).toHaveLength(1000);
  });
});

describe('queryBoolean', () => {
  it.each(['true', 'True', '1', 'yes', 'on', 'T', 'y'])('reads %s as true', (text) => {
    expect(parseQuery(SCHEMA, `flag=${text}`)).toMatchObject({ flag: true });
  });

  it.each(['false', 'FALSE', '0', 'no', 'off', 'f', 'N'])('reads %s as false', (text) => {
    expect(parseQuery(SCHEMA, `flag=${text}`)).toMatchObject({ flag: false });
  });

  it.each(['', '2', 'truee', 'null'])('refuses %j', (text) => {
    expect(refusal(`flag=${text}`)).toHaveLength(1);
  });
});

describe('queryInteger', () => {
  it.each(['1', '10', '%2B3', '007'])('reads %s', (text) => {
    expect(parseQuery(SCHEMA, `count=${text}`).count).toBe(Number(decodeURIComponent(text)));
  });

  it.each(['', '0', '11', '-1', '1.5', '1e1', 'ten', '0x1', '%20'])('refuses %j', (text) => {
    expect(refusal(`count=${text}`)).toHaveLength(1);
  });
});

describe('queryTime', () => {
  it('reads a time in microseconds', () => {
    expect(parseQuery(SCHEMA, 'since=2024-05-28T00:00:09Z')).toMatchObject({ since: 1_716_854_409_000_000 });
  });

  it('refuses an offset whose plus sign was not encoded', () => {
    expect(refusal('since=2024-05-28T00:00:09+02:00')).toMatchObject([{ loc: ['query', 'since'] }]);
  });
});

it('pageFields has a limit where none is asked for', () => {
  expect(parseQuery(z.object(pageFields(100, 1000, '')), '')).toEqual({ limit: 100 });
  expect(() => parseQuery(z.object(pageFields(100, 1000, '')), 'limit=1001')).toThrow(ValidationError);
});
