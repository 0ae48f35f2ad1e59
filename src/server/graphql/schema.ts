/** The GraphQL schema, put together from the slices. */
import type { GraphQLSchema } from 'graphql';
import { defineLoader } from '#api/graphql/loader';
import { buildSchema } from '#api/graphql/schema';
import type { ForCaller } from '#domain/caller';
import { addAggregateTypes } from '#resources/aggregates/graphql';
import { addCostTypes } from '#resources/costs/graphql';
import { createCostLoaders } from '#resources/costs/loaders';
import { addFilterTypes } from '#resources/filters/graphql';
import { addRemovalTypes } from '#resources/deletion/graphql';
import type { RemovalParts } from '#resources/deletion/operations';
import { addLogTypes } from '#resources/logs/graphql';
import { createLogLoaders } from '#resources/logs/loaders';
import { addModelTypes, type ModelTypeParts } from '#resources/models/graphql';
import { addProjectTypes, type ProjectParts } from '#resources/projects/graphql';
import { addSearchTypes } from '#resources/search/graphql';
import { createSearchLoaders } from '#resources/search/loaders';
import { addRetentionTypes, type RetentionTypeParts } from '#resources/retention/graphql';
import { addSessionTypes } from '#resources/sessions/graphql';
import { createSessionLoaders } from '#resources/sessions/loaders';
import { addSpanTypes } from '#resources/spans/graphql';
import { createSpanLoaders } from '#resources/spans/loaders';
import { addTraceTypes } from '#resources/traces/graphql';
import { createTraceLoaders } from '#resources/traces/loaders';
import type { LogBrowser } from '#store/logs/port';
import type { CostReader } from '#store/prices/cost-port';
import type { TextSearch } from '#store/search/port';
import type { TelemetryBrowser } from '#store/spans/browse-port';
import type { SpanStore } from '#store/spans/port';

/** What the resolvers work with. Nothing of it is used before a request needs it. */
export interface GraphqlParts extends ProjectParts, ModelTypeParts {
  readonly remover: RemovalParts['remover'];
  readonly policies: RetentionTypeParts['policies'];
  readonly deletions: RetentionTypeParts['deletions'];
  readonly search: ForCaller<TextSearch>;
  readonly spans: ForCaller<SpanStore & TelemetryBrowser & LogBrowser & CostReader>;
}

/** The schema; docs/schema.graphql is its text. */
export function createGraphqlSchema(parts: GraphqlParts): GraphQLSchema {
  const { spans } = parts;
  const load = {
    project: defineLoader((caller, rowIds: readonly number[]) => parts.projects(caller).findProjects(rowIds)),
    ...createSpanLoaders(spans),
    ...createTraceLoaders(spans),
    ...createSessionLoaders(spans),
    ...createLogLoaders(spans),
    ...createCostLoaders(spans),
  };
  const telemetry = { spans, load };
  return buildSchema([
    (kit) => addProjectTypes(kit, parts),
    (kit) => addSpanTypes(kit, telemetry),
    (kit) => addTraceTypes(kit, telemetry),
    (kit) => addSessionTypes(kit, telemetry),
    (kit) => addLogTypes(kit, telemetry),
    (kit) => addRemovalTypes(kit, parts),
    (kit) => addRetentionTypes(kit, parts, load.project),
    (kit) => addSearchTypes(kit, { spans, search: parts.search, load: createSearchLoaders(parts.search) }),
    (kit) => addCostTypes(kit, telemetry),
    (kit) => addModelTypes(kit, parts),
    (kit) => addFilterTypes(kit, parts),
    (kit) => addAggregateTypes(kit, parts),
  ]);
}
