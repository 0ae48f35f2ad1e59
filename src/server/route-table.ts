/** All REST routes, and the document made of them. */
import type { Registry } from 'prom-client';
import { CAIRN_VERSION } from '#base/version';
import { describeRoutes, type OpenApiDocument } from '#api/rest/openapi';
import type { Route } from '#api/rest/route';
import type { ForCaller } from '#domain/caller';
import type { RemovalParts } from '#resources/deletion/operations';
import { removalRoutes } from '#resources/deletion/rest';
import { logRoutes } from '#resources/logs/rest';
import { type ColumnsPort, type ReindexPort, reindexRoutes, type SearchIndexPort } from '#resources/reindex/rest';
import { searchRoutes } from '#resources/search/rest';
import { sessionRoutes } from '#resources/sessions/rest';
import { type Services, storeOn } from '#resources/slice';
import { SLICES } from '#resources/slices';
import type { SpanIntake } from '#resources/spans/operations/span-intake';
import { createSpansRoute } from '#resources/spans/rest/create-spans';
import { querySpansRoute } from '#resources/spans/rest/query-spans';
import { spanRoutes } from '#resources/spans/rest';
import { traceRoutes } from '#resources/traces/rest';
import type { RunCommand } from '#store/commands/remote-commands';
import { relationalProjectStore } from '#store/projects/relational-projects';
import type { TextSearch } from '#store/search/port';
import { EXPORT_PATHS, exportSchemas } from './describe-exports.ts';
import { openApiRoute } from './openapi-route.ts';
import { serviceRoutes, type ServiceState } from './service-routes.ts';

/** What the routes work with. */
export interface RouteParts {
  readonly services: Services;
  readonly runCommand: RunCommand;
  /** Whether the paths of signing in are unknown, because nobody authenticates. */
  readonly hidesSignIn: boolean;
  readonly search: ForCaller<TextSearch>;
  readonly intake: SpanIntake;
  /** The project of queries that name none. */
  readonly defaultProject: string;
  readonly remover: RemovalParts['remover'];
  readonly reindexer: ForCaller<ReindexPort>;
  readonly columns: ForCaller<ColumnsPort>;
  readonly searchIndex: ForCaller<SearchIndexPort>;
  readonly state: ServiceState;
  readonly registry: Registry;
}

/** The route table. Nothing of the parts is used before a request needs it. */
export async function createRouteTable({
  services,
  runCommand,
  hidesSignIn,
  search,
  intake,
  defaultProject,
  remover,
  reindexer,
  columns,
  searchIndex,
  state,
  registry,
}: RouteParts): Promise<readonly Route[]> {
  const { read, spans } = services;
  const projects = storeOn(read, relationalProjectStore);
  const ofSlices = await Promise.all(SLICES.map((slice) => slice.routes(services, runCommand)));
  const routes: readonly Route[] = [
    ...ofSlices.flat().filter(({ path }) => !hidesSignIn || !SIGN_IN_PATHS.test(path)),
    ...traceRoutes(projects, spans),
    ...sessionRoutes(projects, spans),
    ...spanRoutes(projects, spans),
    createSpansRoute(projects, spans, intake),
    querySpansRoute(projects, spans, defaultProject),
    ...searchRoutes(projects, spans, search),
    ...logRoutes(projects, spans),
    ...removalRoutes({ projects, spans, remover }),
    ...reindexRoutes(reindexer, columns, searchIndex),
    ...serviceRoutes(state, registry),
    openApiRoute(() => describeApi(routes)),
  ];
  return routes;
}

/** By which people sign in, by a password or a provider. */
const SIGN_IN_PATHS = /^\/(?:auth\/|oauth2\/\{idp\}\/)/;

/** The OpenAPI document of this server. */
export function describeApi(routes: readonly Route[]): OpenApiDocument {
  const document = describeRoutes(routes, {
    title: 'Cairn',
    version: CAIRN_VERSION,
    description:
      'Traces of LLM applications: send them over OTLP to `/v1/traces` and `/v1/logs`, read them here. While authentication is on, requests need an API key, as `Authorization: Bearer <key>`. A method that a path does not have gets 405, and the header `Allow` names the others. Operations ignore unknown query parameters and name them in the header `x-cairn-ignored-parameters`; operations that delete refuse them.',
  });
  const { components } = document;
  return {
    ...document,
    paths: { ...EXPORT_PATHS, ...document.paths },
    components: { ...components, schemas: { ...exportSchemas(), ...components.schemas } },
  };
}
