/** All REST routes, and the document made of them. */
import type { Registry } from 'prom-client';
import { CAIRN_VERSION } from '#base/version';
import { describeRoutes, type OpenApiDocument } from '#api/rest/openapi';
import type { Route } from '#api/rest/route';
import type { ForCaller } from '#domain/caller';
import type { Signal } from '#otlp/signal';
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
import { openApiRoute } from './openapi-route.ts';
import { ingestionPolicy } from './policy.ts';
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
      'Traces of LLM applications: send them over OTLP to `/v1/traces` and `/v1/logs`, read them here. While authentication is on, requests need an API key, as `Authorization: Bearer <key>`.',
  });
  return { ...document, paths: { ...EXPORT_PATHS, ...document.paths } };
}

/** An operation that is not in the table: OTLP has encodings and errors of its own. */
function describeExport(operation: {
  signal: Signal;
  operationId: string;
  summary: string;
  what: string;
  done: string;
}) {
  const { signal, operationId, summary, what, done } = operation;
  return {
    operationId,
    summary,
    description: `An ${what}, as protobuf or as OTLP JSON, in any of the content encodings gzip, deflate, br and zstd. See https://opentelemetry.io/docs/specs/otlp/#otlphttp.`,
    tags: ['traces'],
    'x-access': ingestionPolicy[signal].access,
    parameters: [
      {
        name: 'x-project-name',
        in: 'header',
        required: false,
        description: 'The project for all of the data; overrides the resource attribute `openinference.project.name`.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: { 'application/x-protobuf': {}, 'application/json': {} } },
    responses: {
      200: { description: done, content: { 'application/x-protobuf': {}, 'application/json': {} } },
      400: { description: 'The body does not match its content type; a `google.rpc.Status` says where.' },
      413: { description: 'The body is larger than the limit; send less in one request.' },
      415: { description: 'An unknown content type or encoding.' },
      429: { description: 'Too many requests are waiting; try again after `Retry-After`.' },
      503: { description: 'No room at the moment; try again after `Retry-After`.' },
    },
  };
}

const EXPORT_PATHS = {
  '/v1/traces': {
    post: describeExport({
      signal: 'traces',
      operationId: 'exportTraces',
      summary: 'Send traces over OTLP',
      what: '`ExportTraceServiceRequest`',
      done: 'The spans are on disk. `partialSuccess` counts those that could not be stored, with the reason.',
    }),
  },
  '/v1/logs': {
    post: describeExport({
      signal: 'logs',
      operationId: 'exportLogs',
      summary: 'Send log records over OTLP',
      what: '`ExportLogsServiceRequest`',
      done: 'The log records are on disk, apart from plain ones without a trace. `partialSuccess` counts those that could not be stored, with the reason.',
    }),
  },
  '/v1/metrics': {
    post: describeExport({
      signal: 'metrics',
      operationId: 'exportMetrics',
      summary: 'Send metrics over OTLP, which are counted but not stored',
      what: '`ExportMetricsServiceRequest`',
      done: 'The data points were counted.',
    }),
  },
};
