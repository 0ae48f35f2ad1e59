/** Writes docs/schema.graphql from the schema: `node scripts/generate-graphql-schema.ts`. */
import { writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createGraphqlSchema, type GraphqlParts } from '#server/graphql/schema';

export const GRAPHQL_SCHEMA_URL = new URL('../docs/schema.graphql', import.meta.url);

/** The text of docs/schema.graphql, sorted by name. */
export async function formatGraphqlSchema(): Promise<string> {
  // Resolvers use their parts only when they are asked, and nobody asks these.
  const schema = await createGraphqlSchema(UNUSED);
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

/** Only what is called sooner is looked into. */
const UNUSED = { services: {} } as GraphqlParts;

if (import.meta.main) writeFileSync(GRAPHQL_SCHEMA_URL, await formatGraphqlSchema());
