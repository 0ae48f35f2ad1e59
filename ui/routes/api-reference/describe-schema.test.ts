import { describe, expect, it } from 'vitest';
import type { Schema } from './api-document.ts';
import { describeField, exampleOf, fieldsOf, type Schemas, typeOf } from './describe-schema.ts';

const SCHEMAS: Schemas = {
  Span: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      kind: { type: 'string', enum: ['LLM', 'TOOL'] },
      children: { type: 'array', items: { $ref: '#/components/schemas/Span' } },
    },
    required: ['id'],
  },
};
const SPAN: Schema = { $ref: '#/components/schemas/Span' };

describe('a type', () => {
  it.each<[Schema, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'string', format: 'date-time' }, 'date-time'],
    [SPAN, 'Span'],
    [{ type: 'array', items: SPAN }, 'list of Span'],
    [{ anyOf: [SPAN, { type: 'null' }] }, 'Span or null'],
    [{ anyOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
    [{ oneOf: [SPAN, { type: 'string' }] }, 'Span or string'],
    [{ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }, 'object'],
    [{ const: 'all' }, '"all"'],
    [{}, 'any JSON'],
  ])('%j is %s', (schema, text) => {
    expect(typeOf(schema)).toBe(text);
  });
});

describe('a field', () => {
  it('has the rules of what is not null, and its possible values', () => {
    const schema: Schema = { anyOf: [{ type: 'integer', minimum: 1, maximum: 1000 }, { type: 'null' }], default: 100 };
    expect(describeField('limit', schema, false, SCHEMAS)).toMatchObject({
      type: 'integer or null',
      isRequired: false,
      rules: ['1 to 1000', 'default 100'],
      inner: undefined,
    });
    const list: Schema = { type: 'array', minItems: 1, items: { type: 'string', enum: ['a', 'b'] } };
    expect(describeField('order', list, true, SCHEMAS)).toMatchObject({
      rules: ['at least 1 item'],
      values: ['a', 'b'],
    });
  });

  it('opens to those of the object that it is or lists, also of its own type', () => {
    const found = fieldsOf({ type: 'array', items: SPAN }, SCHEMAS);
    expect(found.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['id', true],
      ['kind', false],
      ['children', false],
    ]);
    const inner = found[2]?.inner ?? expect.fail('children have fields');
    expect(fieldsOf(inner, SCHEMAS)).toEqual(found);
    expect(found[0]?.inner).toBeUndefined();
  });

  it('of nothing with fields there is none', () => {
    expect(fieldsOf({ type: 'string' }, SCHEMAS)).toEqual([]);
  });
});

describe('an example', () => {
  it('has what must be there, or everything, and ends where a type holds itself', () => {
    expect(exampleOf(SPAN, SCHEMAS, false)).toEqual({ id: 'text' });
    const whole = exampleOf(SPAN, SCHEMAS, true);
    expect(whole).toMatchObject({ id: 'text', kind: 'LLM', children: [{ id: 'text' }] });
    expect(JSON.stringify(whole).length).toBeLessThan(500);
  });

  it.each<[Schema, unknown]>([
    [{ type: 'boolean' }, true],
    [{ type: ['null', 'number'] }, 0.5],
    [{ type: 'string', default: 'desc' }, 'desc'],
    [{ type: 'string', format: 'date-time' }, '2026-01-31T12:00:00Z'],
    [{ anyOf: [{ type: 'null' }, { const: 'x' }] }, 'x'],
    [{}, null],
  ])('of %j is %j', (schema, value) => {
    expect(exampleOf(schema, SCHEMAS, true)).toEqual(value);
  });
});
