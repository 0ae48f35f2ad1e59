/** Every field of the schema that has a row of its own in the table. */
import { type GraphQLField, type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { createGraphqlSchema, type GraphqlParts } from '#server/graphql/schema';
import type { Permission } from '#domain/access';
import { operationOf } from './operation-of.ts';

/** A query, a mutation, a subscription, or a field of an object that not everybody may read who may read the object. */
export interface GraphqlOperation {
  /** As in the table: `query projects`, `mutation createProject`, `User.email`. */
  readonly operation: string;
  /** Asks for it with made-up arguments; of a field of an object that is no request. */
  readonly document: string;
}

const EVERYBODY: ReadonlySet<string> = new Set(['public', 'identify', 'read']);

/** All of them. */
export async function listGraphqlOperations(): Promise<readonly GraphqlOperation[]> {
  const schema = await createGraphqlSchema({ services: {} } as GraphqlParts);
  const roots = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
    fieldsOf(rootOf(schema, kind)).map((field) => ({
      operation: `${kind} ${field.name}`,
      document: operationOf(kind, field),
    })),
  );
  const rootTypes = new Set(['Query', 'Mutation', 'Subscription']);
  const guarded = Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter(({ name }) => !name.startsWith('__') && !rootTypes.has(name))
    .flatMap((type) => {
      const fields = fieldsOf(type);
      const guarded = fields.filter(({ extensions }) => !EVERYBODY.has((extensions['access'] as Permission).access));
      // What is guarded as a whole is guarded where it is asked for.
      const own = guarded.length === fields.length ? [] : guarded;
      return own.map(({ name }) => ({ operation: `${type.name}.${name}`, document: '' }));
    });
  return [...roots, ...guarded];
}

function fieldsOf(type: GraphQLObjectType | undefined): readonly GraphQLField<unknown, unknown>[] {
  return Object.values(type?.getFields() ?? {});
}

function rootOf(schema: GraphQLSchema, kind: 'query' | 'mutation' | 'subscription'): GraphQLObjectType | undefined {
  if (kind === 'query') return schema.getQueryType() ?? undefined;
  return (kind === 'mutation' ? schema.getMutationType() : schema.getSubscriptionType()) ?? undefined;
}
