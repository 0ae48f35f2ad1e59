/** The GraphQL schema, put together from the slices. */
import type { GraphQLSchema } from 'graphql';
import { defineLoader } from '#api/graphql/loader';
import { buildSchema, type SchemaKit } from '#api/graphql/schema';
import type { ForCaller } from '#domain/caller';
import { addAggregateTypes } from '#resources/aggregates/graphql';
import { addCostTypes } from '#resources/costs/graphql';
import { createCostLoaders } from '#resources/costs/loaders';
import { addFilterTypes } from '#resources/filters/graphql';
import { addRemovalTypes } from '#resources/deletion/graphql';
import type { RemovalParts } from '#resources/deletion/operations';
import { addLogTypes } from '#resources/logs/graphql';
import { createLogLoaders } from '#resources/logs/loaders';
import { addSearchTypes } from '#resources/search/graphql';
import { createSearchLoaders } from '#resources/search/loaders';
import { addSessionTypes } from '#resources/sessions/graphql';
import { createSessionLoaders } from '#resources/sessions/loaders';
import { type Services, storeOn } from '#resources/slice';
import { SLICES } from '#resources/slices';
import { addSpanTypes } from '#resources/spans/graphql';
import { createSpanLoaders } from '#resources/spans/loaders';
import { addTraceTypes } from '#resources/traces/graphql';
import { createTraceLoaders } from '#resources/traces/loaders';
import type { RunCommand } from '#store/commands/remote-commands';
import { relationalProjectBrowser, relationalProjectStore } from '#store/projects/relational-projects';
import type { TextSearch } from '#store/search/port';

/** What the resolvers work with. Nothing of it is used before a request needs it. */
export interface GraphqlParts {
  readonly services: Services;
  readonly runCommand: RunCommand;
  readonly remover: RemovalParts['remover'];
  readonly search: ForCaller<TextSearch>;
}

/** The schema; docs/schema.graphql is its text. */
export async function createGraphqlSchema(parts: GraphqlParts): Promise<GraphQLSchema> {
  const { services, remover, search } = parts;
  const { spans, read } = services;
  const projects = storeOn(read, (db, dialect) => ({
    ...relationalProjectStore(db, dialect),
    ...relationalProjectBrowser(db, dialect),
  }));
  const load = {
    project: defineLoader((caller, rowIds: readonly number[]) => projects(caller).findProjects(rowIds)),
    ...createSpanLoaders(spans),
    ...createTraceLoaders(spans),
    ...createSessionLoaders(spans),
    ...createLogLoaders(spans),
    ...createCostLoaders(spans),
  };
  const telemetry = { spans, load };
  const ofSlices = await Promise.all(SLICES.map((slice) => slice.types(parts.runCommand)));
  return buildSchema([
    ...ofSlices.map((addTypes) => (kit: SchemaKit) => addTypes(kit, { ...services, load })),
    (kit) => addSpanTypes(kit, telemetry),
    (kit) => addTraceTypes(kit, telemetry),
    (kit) => addSessionTypes(kit, telemetry),
    (kit) => addLogTypes(kit, telemetry),
    (kit) => addRemovalTypes(kit, { projects, spans, remover }),
    (kit) => addSearchTypes(kit, { spans, search, load: createSearchLoaders(search) }),
    (kit) => addCostTypes(kit, telemetry),
    (kit) => addFilterTypes(kit, services),
    (kit) => addAggregateTypes(kit, services, load),
  ]);
}
