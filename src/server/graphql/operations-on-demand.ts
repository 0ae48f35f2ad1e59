import type { Operations } from '#api/graphql/operation';
import type { GraphqlParts } from './schema.ts';

/** The operations of the server, loaded and put together when first asked for: the start need not wait for them. */
export function operationsOnDemand(parts: GraphqlParts): () => Promise<Operations> {
  let operations: Promise<Operations> | undefined;
  return () => {
    operations ??= load(parts);
    return operations;
  };
}

async function load(parts: GraphqlParts): Promise<Operations> {
  const [{ Operations }, { createGraphqlSchema }] = await Promise.all([
    import('#api/graphql/operation'),
    import('./schema.ts'),
  ]);
  return new Operations(await createGraphqlSchema(parts));
}
