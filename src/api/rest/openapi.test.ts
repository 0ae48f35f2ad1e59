import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeRoutes } from './openapi.ts';
import { pageFields, queryBoolean } from './query.ts';
import { defineRoute } from './route.ts';
import { testPolicy } from '../test-policy.fixture.ts';

const THING = z.object({ id: z.string(), count: z.int(), note: z.string().nullable() }).meta({ id: 'Thing' });

const document = describeRoutes(
  [
    defineRoute({
      method: 'GET',
      path: '/things/{kind}',
      operationId: 'listThings',
      summary: 'List things',
      tag: 'things',
      access: testPolicy.read,
      params: z.object({ kind: z.string() }),
      query: z.object({
        id: z.array(z.string()).optional().describe('Any of them.'),
        order: z.enum(['asc', 'desc']).default('asc'),
        flag: queryBoolean().meta({ deprecated: true }),
        ...pageFields(30, 100, '^c'),
      }),
      replies: {
        200: {
          description: 'Things.',
          contentType: ['application/json', 'text/csv'],
          schema: z.object({ data: z.array(THING) }),
        },
      },
      handler: async () => ({ body: null }),
    }),
    defineRoute({
      method: 'PUT',
      path: '/things/{kind}',
      operationId: 'askThings',
      summary: 'Ask for things',
      tag: 'things',
      access: testPolicy.open,
      replies: { 204: { description: 'There are things.' } },
      handler: async () => ({ body: undefined }),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/things/{kind}',
      operationId: 'deleteThings',
      summary: 'Delete things',
      tag: 'things',
      access: testPolicy.manage,
      body: z.object({ thing: THING }),
      replies: { 204: { description: 'Gone.', contentType: 'text/plain' } },
      handler: async () => ({ body: undefined }),
    }),
  ],
  { title: 'Things', version: '1.0.0', description: '' },
);
const operations = document.paths['/things/{kind}'] ?? {};

describe('describeRoutes', () => {
  it('says who may call each operation', () => {
    expect(operations['get']?.['x-access']).toBe('read');
    expect(operations['delete']?.['x-access']).toBe('admin');
  });

  it('takes a key as a bearer token, and asks for none where everybody may call', () => {
    expect(document['security']).toEqual([{}, { bearer: [] }]);
    expect(document['components']).toMatchObject({ securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } });
    expect(operations['get']?.['security']).toBeUndefined();
    expect(operations['put']?.['security']).toEqual([]);
  });

  it('describes parameters as they are sent, not as they are read', () => {
    expect(operations['get']?.['parameters']).toEqual([
      { name: 'kind', in: 'path', required: true, schema: { type: 'string' } },
      {
        name: 'id',
        in: 'query',
        required: false,
        description: 'Any of them.',
        schema: { type: 'array', items: { type: 'string' } },
      },
      {
        name: 'order',
        in: 'query',
        required: false,
        schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
      },
      { name: 'flag', in: 'query', required: true, deprecated: true, schema: { type: 'boolean' } },
      {
        name: 'cursor',
        in: 'query',
        required: false,
        description: 'The `next_cursor` of the previous page, sent with the same parameters.',
        schema: { type: 'string', pattern: '^c' },
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Maximum number of items in a page.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
      },
    ]);
  });

  it('names a schema once, and refers to it', () => {
    expect(document['components']).toMatchObject({
      schemas: { Thing: { type: 'object', properties: { id: { type: 'string' }, count: { type: 'integer' } } } },
    });
    expect(operations['get']?.['responses']).toMatchObject({
      200: {
        content: {
          'application/json': { schema: { properties: { data: { items: { $ref: '#/components/schemas/Thing' } } } } },
          'text/csv': {},
        },
      },
    });
    expect(operations['delete']?.['requestBody']).toMatchObject({
      content: {
        'application/json': { schema: { properties: { thing: { $ref: '#/components/schemas/Thing' } } } },
      },
    });
  });

  it('tells of the answers that every operation can have, and of those to a body where one is taken', () => {
    const statuses = (method: string) => Object.keys(operations[method]?.['responses'] ?? {});
    const always = ['400', '401', '403', '404', '429', '431', '500', '503', '504'];
    expect(statuses('get')).toEqual(expect.arrayContaining(['200', ...always, '422']));
    expect(statuses('put')).toEqual(['204', ...always, '507']);
    expect(statuses('delete')).toEqual(expect.arrayContaining([...always, '408', '413', '415', '422', '507']));
    expect(document['components']).toMatchObject({
      responses: { Busy: { headers: { 'retry-after': { schema: { type: 'string' } } } } },
    });
  });

  it('leaves the bounds of all integers unsaid in answers, and says them of bodies, where others are refused', () => {
    expect(JSON.stringify(operations['get'])).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(document['components']).toMatchObject({
      schemas: { Thing: { properties: { count: { maximum: Number.MAX_SAFE_INTEGER } } } },
    });
  });
});
