import { expect, it } from 'vitest';
import type { Operation } from './api-document.ts';
import { curlOf } from './request-example.ts';

const OPEN = { url: 'http://localhost:6006', needsKey: false };
const ASKING = { url: 'https://example.com/cairn', needsKey: true };

const LIST: Operation = {
  operationId: 'search',
  summary: 'Search',
  tags: ['spans'],
  method: 'GET',
  path: '/v1/projects/{project_identifier}/search',
  'x-access': 'read',
  parameters: [
    { name: 'query', in: 'query', required: true, schema: { type: 'string' } },
    { name: 'limit', in: 'query', schema: { type: 'integer' } },
  ],
  responses: {},
  sharedResponses: {},
};

it('asks with what must be given, and with a key where one is needed', () => {
  expect(curlOf(LIST, {}, OPEN)).toBe(`curl -sS 'http://localhost:6006/v1/projects/default/search?query=QUERY'`);
  expect(curlOf(LIST, {}, ASKING)).toBe(
    [
      `curl -sS 'https://example.com/cairn/v1/projects/default/search?query=QUERY' \\`,
      '  -H "authorization: Bearer $CAIRN_API_KEY"',
    ].join('\n'),
  );
  expect(curlOf({ ...LIST, 'x-access': 'public' }, {}, ASKING)).not.toContain('Bearer');
});

it('sends a body, quoted for a shell', () => {
  const schema = { type: 'object', properties: { name: { type: 'string', default: "it's" } }, required: ['name'] };
  const operation: Operation = {
    ...LIST,
    method: 'PUT',
    path: '/v1/users/{user_id}',
    parameters: [],
    requestBody: { content: { 'application/json': { schema } } },
  };
  expect(curlOf(operation, {}, OPEN)).toBe(
    [
      `curl -sS -X PUT 'http://localhost:6006/v1/users/USER_ID' \\`,
      `  -H 'content-type: application/json' \\`,
      String.raw`  -d '{`,
      String.raw`  "name": "it'\''s"`,
      `}'`,
    ].join('\n'),
  );
});

it('names a file for a body that no text can be', () => {
  const requestBody = { content: { 'application/x-protobuf': {} } };
  expect(curlOf({ ...LIST, method: 'POST', parameters: [], requestBody }, {}, OPEN)).toContain(
    `-H 'content-type: application/x-protobuf' \\\n  --data-binary @body`,
  );
});
