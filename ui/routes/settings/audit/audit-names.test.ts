import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { Policy } from '#domain/access';
import { nameAction, nameChange, nameObjectType } from './audit-names.ts';

const SOURCE = resolve(import.meta.dirname, '../../../../src');

it('every operation of every policy has words', async () => {
  const files = globSync('**/policy.ts', { cwd: SOURCE });
  const modules = await Promise.all(
    files.map((file) => import(`${SOURCE}/${file}`) as Promise<Record<string, Policy>>),
  );
  const operations = modules
    .flatMap((module) => Object.values(module))
    .flatMap((policy) => Object.values(policy))
    // Nobody is refused these.
    .filter(({ access }) => access !== 'public')
    .map(({ operation }) => operation);
  expect(operations.length).toBeGreaterThan(80);
  expect(operations.filter((operation) => nameAction(operation) === operation)).toEqual([]);
});

it.each([
  ['name', 'name'],
  ['retention_policy', 'retention policy'],
  ['expiresAt', 'expires at'],
  ['gradient_start_color', 'gradient start color'],
])('the field %s is called %s', (change, name) => {
  expect(nameChange(change)).toBe(name);
});

it.each([
  ['AnnotationQueue', 'Review queue'],
  ['SpanAnnotation', 'Span annotation'],
  ['User', 'User'],
])('an object of the type %s is called %s', (type, name) => {
  expect(nameObjectType(type)).toBe(name);
});
