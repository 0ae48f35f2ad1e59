import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type ApiDocument, describeAccess, findOperations, groupOperations } from './api-document.ts';

/** That of this version. */
const DOCUMENT = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as ApiDocument;

const groups = groupOperations(DOCUMENT);
const all = groups.flatMap(({ operations }) => operations);

it('groups every operation by what it is about, in words', () => {
  const described = Object.values(DOCUMENT.paths).flatMap((methods) => Object.values(methods));
  expect(all).toHaveLength(described.length);
  expect(new Set(groups.map(({ tag }) => tag)).size).toBe(groups.length);
  const titles = groups.map(({ title }) => title);
  expect(titles).toContain('API keys');
  expect(titles).toContain('Sign in');
  expect(all.find(({ operationId }) => operationId === 'createProject')).toMatchObject({
    method: 'POST',
    path: '/v1/projects',
  });
});

it('says in words who may use each operation', () => {
  expect(all.filter((operation) => describeAccess(operation['x-access']) === undefined)).toEqual([]);
});

it('finds operations by words of their method, path, id, summary and group, in any case and order', () => {
  const idsOf = (text: string) =>
    findOperations(groups, text).flatMap(({ operations }) => operations.map(({ operationId }) => operationId));
  expect(idsOf('delete PROJECT')).toContain('deleteProject');
  expect(idsOf('project delete')).toEqual(idsOf('delete project'));
  expect(idsOf('createproject')).toEqual(['createProject']);
  expect(idsOf('nothing has this')).toEqual([]);
  expect(idsOf('  ')).toHaveLength(all.length);
});

it('tells the responses of an operation from those that most operations share', () => {
  const creation = all.find(({ operationId }) => operationId === 'createProject');
  expect(Object.keys(creation?.responses ?? {})).toContain('200');
  expect(creation?.sharedResponses['413']?.description).toContain('larger than the limit');
  for (const { responses, sharedResponses } of all) {
    for (const response of [...Object.values(responses), ...Object.values(sharedResponses)]) {
      expect(response.description).toMatch(/\w/);
    }
  }
});
