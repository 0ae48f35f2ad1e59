import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatGraphqlSchema, GRAPHQL_SCHEMA_URL } from './generate-graphql-schema.ts';

it('docs/schema.graphql is what the schema says', async () => {
  expect(readFileSync(GRAPHQL_SCHEMA_URL, 'utf8')).toBe(await formatGraphqlSchema());
});
