import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { describeRoutes } from './openapi.ts';
import { queryBoolean } from './query.ts';
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
        flag: queryBoolean(),
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
      replies: { 204: { description: 'There are things.', contentType: 'text/plain' } },
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
      { name: 'flag', in: 'query', required: true, schema: { type: 'boolean' } },
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

  it('tells of the answer to a malformed request where something can be malformed', () => {
    expect(Object.keys(operations['get']?.['responses'] ?? {})).toEqual(['200', '422']);
  });

  it('leaves the bounds of all integers unsaid', () => {
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });
});
