/** The GraphQL schema, put together from the slices. */
import type { GraphQLSchema } from 'graphql';
import { defineLoader } from '#api/graphql/loader';
import { buildSchema } from '#api/graphql/schema';
import { addLogTypes } from '#resources/logs/graphql';
import { createLogLoaders } from '#resources/logs/loaders';
import { addProjectTypes, type ProjectParts } from '#resources/projects/graphql';
import { addSessionTypes } from '#resources/sessions/graphql';
import { createSessionLoaders } from '#resources/sessions/loaders';
import { addSpanTypes } from '#resources/spans/graphql';
import { createSpanLoaders } from '#resources/spans/loaders';
import { addTraceTypes } from '#resources/traces/graphql';
import { createTraceLoaders } from '#resources/traces/loaders';
import type { LogBrowser } from '#store/logs/port';
import type { TelemetryBrowser } from '#store/spans/browse-port';
import type { SpanStore } from '#store/spans/port';

/** What the resolvers work with. Nothing of it is used before a request needs it. */
export interface GraphqlParts extends ProjectParts {
  readonly spans: SpanStore & TelemetryBrowser & LogBrowser;
}

/** The schema; docs/schema.graphql is its text. */
export function createGraphqlSchema(parts: GraphqlParts): GraphQLSchema {
  const { spans } = parts;
  const load = {
    project: defineLoader((rowIds: readonly number[]) => parts.projects.findProjects(rowIds)),
    ...createSpanLoaders(spans),
    ...createTraceLoaders(spans),
    ...createSessionLoaders(spans),
    ...createLogLoaders(spans),
  };
  const telemetry = { spans, load };
  return buildSchema([
    (kit) => addProjectTypes(kit, parts),
    (kit) => addSpanTypes(kit, telemetry),
    (kit) => addTraceTypes(kit, telemetry),
    (kit) => addSessionTypes(kit, telemetry),
    (kit) => addLogTypes(kit, telemetry),
  ]);
}
