/** The schema as a whole. */
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { JsonValue } from '#base/json';
import { formatTimestamp, parseTimestamp } from '#domain/timestamp';
import { graphqlPolicy } from '../policy.ts';
import { type Builder, createBuilder } from './builder.ts';
import { JSON_SCALAR, readJsonLiteral } from './json-scalar.ts';
import { NodeRegistry } from './nodes.ts';

/** What a slice adds its types to. */
export interface SchemaKit {
  readonly builder: Builder;
  readonly nodes: NodeRegistry;
}

/** The schema with the types of all slices. */
export function buildSchema(slices: readonly ((kit: SchemaKit) => void)[]): GraphQLSchema {
  const builder = createBuilder();
  builder.queryType({});
  addSharedTypes(builder);
  const kit = { builder, nodes: new NodeRegistry(builder) };
  for (const addTypes of slices) addTypes(kit);
  return builder.toSchema();
}

function addSharedTypes(builder: Builder): void {
  builder.scalarType('DateTime', {
    description: 'A point in time in ISO 8601, with an offset; microseconds are kept.',
    serialize: formatTimestamp,
    parseValue: (value) => {
      const timeUs = typeof value === 'string' ? parseTimestamp(value) : undefined;
      if (timeUs === undefined) throw new GraphQLError('A time is a string such as 2026-01-31T12:00:00.000000+00:00.');
      return timeUs;
    },
  });
  builder.scalarType(JSON_SCALAR, {
    description: 'Any JSON value.',
    serialize: (value) => value,
    // Variables are read from JSON.
    parseValue: (value) => value as JsonValue,
    parseLiteral: readJsonLiteral,
  });
  builder.enumType('SortDir', { values: ['asc', 'desc'] as const });
  builder.inputType('TimeRange', {
    description: 'The start is inclusive, the end exclusive. Either may be absent.',
    fields: (t) => ({ start: t.field({ type: 'DateTime' }), end: t.field({ type: 'DateTime' }) }),
  });
  builder.objectType('PageInfo', {
    access: graphqlPolicy.readPageInfo,
    fields: (t) => ({
      hasNextPage: t.exposeBoolean('hasNextPage'),
      hasPreviousPage: t.exposeBoolean('hasPreviousPage'),
      startCursor: t.exposeString('startCursor', { nullable: true }),
      endCursor: t.exposeString('endCursor', { nullable: true }),
    }),
  });
}
