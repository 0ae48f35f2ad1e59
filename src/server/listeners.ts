/** Everything that the server listens with. */
import type { FastifyInstance } from 'fastify';
import { shareOfAddress } from '#api/client-address';
import type { Route } from '#api/rest/route';
import { AppError } from '#base/errors';
import type { Logger } from '#base/log';
import type { Config, ListenerConfig } from '#config/config';
import type { Caller } from '#domain/caller';
import type { ChangeFeed } from '#ingest/change-feed';
import { receiverFor } from '#ingest/keyed-receiver';
import type { ExportReceiver } from '#ingest/receiver';
import { storeOn } from '#resources/slice';
import type { Database } from '#store/database';
import { relationalProjectStore } from '#store/projects/relational-projects';
import type { Authentication } from './authentication/authentication.ts';
import type { AnswerBudget } from './answer-budget.ts';
import { operationsOnDemand } from './graphql/operations-on-demand.ts';
import { createHttpApp, type HttpAppOptions } from './http-app.ts';
import { type ConnectionBounds, type HttpListener, listenHttp } from './http-listener.ts';
import { type ListenerLabel, LISTENERS, listenEverywhere } from './listen.ts';
import type { Metrics } from './metrics.ts';
import { listenForMetrics } from './metrics-listener.ts';
import { createOtlpGrpcServer, type GrpcBounds, type OtlpGrpcServer } from './otlp-grpc/server.ts';
import { registerOtlpHttp } from './otlp-http.ts';
import type { Preparers } from './preparers.ts';
import { findPageIn } from './redirects.ts';
import { createRouteTable } from './route-table.ts';
import { createSpanIntake } from './span-intake.ts';
import type { TextBodies } from './text-bodies.ts';
import { toTlsOptions } from './tls-options.ts';
import { describeSignIn } from './web-ui.ts';
import { describeVerification } from './watch-verification.ts';

/** What the listeners serve. */
export interface Served {
  readonly config: Config;
  readonly log: Logger;
  readonly answers: AnswerBudget;
  readonly textBodies: TextBodies;
  readonly grpcDoors: GrpcBounds;
  readonly maxSpanListBytes: number;
  readonly doors: ConnectionBounds;
  readonly database: Database;
  readonly receiver: ExportReceiver;
  readonly changes: ChangeFeed;
  readonly metrics: Metrics;
  readonly preparers: Preparers;
  readonly authentication: Authentication;
}

/** Open listeners. */
export interface Listeners {
  readonly httpUrl: string;
  readonly grpcAddress: string;
  readonly otlpHttpUrl: string | null;
  /** Where metrics alone are read; `null` where that is not configured. */
  readonly metricsUrl: string | null;
  /** Answers what has begun; connections that are still open at the deadline are cut off. */
  close(deadlineMs: number): Promise<void>;
}

/** Opens all ports, or none. @throws AppError `failed_precondition` with what to do */
export async function openListeners(served: Served): Promise<Listeners> {
  const { config, answers, textBodies } = served;
  const doors = config.otlpHttp === null ? served.doors : halve(served.doors);
  const opened: { close(deadlineMs: number): Promise<void> }[] = [];
  const stop = new AbortController();
  const reads = new AbortController();
  const close = async (deadlineMs: number) => {
    const reason = new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 1 });
    stop.abort(reason);
    // Those whose connections would be cut off are answered before.
    const timer = setTimeout(() => reads.abort(reason), deadlineMs / 2);
    await Promise.all(opened.map((listener) => listener.close(deadlineMs)));
    clearTimeout(timer);
  };
  const stores = { ...openStores(served), stopping: stop.signal, readsEnd: reads.signal };
  let grpcAddress = '';
  try {
    const app = createApp(served, stores, {
      answers,
      textBodies,
      routes: await createRoutes(served, stores),
      graphql: operationsOnDemand(stores),
      webUi: {
        grpcAddress: () => grpcAddress,
        signIn: describeSignIn(config),
        automaticProvider: config.auth.isEnabled
          ? config.auth.providers.find(({ isAutomatic }) => isAutomatic)?.name
          : undefined,
        findPage: findPageIn({
          projects: storeOn(stores.services.read, relationalProjectStore),
          spans: stores.services.spans,
        }),
      },
    });
    const http = await openHttp(LISTENERS.http, app, config, config.http, doors);
    opened.push(http);
    const grpc = await openGrpc(served, stores, config.grpc);
    opened.push(grpc);
    grpcAddress = `${printableHost(config)}:${grpc.port}`;
    let otlpHttpUrl: string | null = null;
    if (config.otlpHttp !== null) {
      const otlpHttp = await openHttp(
        LISTENERS.otlpHttp,
        createApp(served, stores, { answers, textBodies, routes: [], graphql: null, webUi: null }),
        config,
        config.otlpHttp,
        doors,
      );
      opened.push(otlpHttp);
      otlpHttpUrl = formatUrl(config, config.otlpHttp, otlpHttp.port);
    }
    let metricsUrl: string | null = null;
    if (config.metrics !== null) {
      const metrics = await listenForMetrics(config.metrics, served.metrics.registry, config.allowedHosts);
      opened.push(metrics);
      metricsUrl = `http://${printableHost(config.metrics)}:${metrics.port}/metrics`;
    }
    return {
      httpUrl: config.rootUrl ?? `${formatUrl(config, config.http, http.port)}${config.rootPath}`,
      grpcAddress,
      otlpHttpUrl,
      metricsUrl,
      close,
    };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/**
 * What requests work with. Every caller is given the same of it, as a caller who may use an operation sees everything; only what
 * a key sends is bound to the key.
 */
function openStores({ authentication, config, database, receiver, changes }: Served) {
  const { dialect } = database;
  const tables = { db: database.read, dialect };
  const ofPrimary = { db: database.readPrimary, dialect };
  return {
    services: {
      read: () => tables,
      spans: () => database.spans,
      aggregates: () => database.aggregates,
      changes: () => changes,
      repricer: database.repricer,
      bulkActions: () => database.bulkActions,
      readPrimary: () => ofPrimary,
      auth: authentication.services,
      storageGuard: config.storageGuard,
    },
    runCommand: authentication.runCommand,
    receiver: (caller: Caller) => receiverFor(caller, shareOfAddress(caller.address ?? ''), receiver),
    search: () => database.search,
    remover: (caller: Caller) => database.remover.for(caller),
    reindexer: database.reindexer,
    columns: (caller: Caller) => ({ markDue: () => database.segments.markDue(caller) }),
    searchIndex: (caller: Caller) => ({ rebuild: () => database.searchIndex.rebuild(caller) }),
  };
}

type Stores = ReturnType<typeof openStores> & { readonly stopping: AbortSignal; readonly readsEnd: AbortSignal };

function createRoutes(
  { config, database, maxSpanListBytes, metrics, preparers }: Served,
  stores: Stores,
): Promise<readonly Route[]> {
  return createRouteTable({
    ...stores,
    hidesSignIn: !config.auth.isEnabled,
    defaultProject: config.defaultProjectName,
    intake: createSpanIntake({
      receiver: stores.receiver,
      maxBytes: maxSpanListBytes,
      prepare: (body, contentEncoding) => preparers.prepareSpanList(body, contentEncoding),
      stopping: stores.stopping,
    }),
    state: {
      isReady: database.isReady,
      findStoringProblem: database.findStoringProblem,
      describe: async () => ({
        damaged: database.damage.counts(),
        // Damaged pages of its job are among what is known.
        verification: describeVerification(await database.verification.readState().catch(() => undefined)),
      }),
    },
    registry: metrics.registry,
  });
}

/** What is offered, and the OTLP receiver; where that is all, it is not timed twice. */
function createApp(
  { config, log, metrics, authentication }: Served,
  { receiver, stopping, readsEnd }: Stores,
  offered: Pick<HttpAppOptions, 'answers' | 'textBodies' | 'routes' | 'graphql' | 'webUi'>,
): FastifyInstance {
  const { rootPath, rootUrl, allowedHosts } = config;
  return createHttpApp({
    ...offered,
    callers: authentication.callers,
    isOpen: !config.auth.isEnabled,
    cookies: config.auth.signIn.cookies,
    trustedProxies: config.auth.trustedProxies,
    receive: (scope) =>
      registerOtlpHttp(scope, receiver, {
        pathPrefix: '',
        maxBytes: config.otlpMaxBytes,
        stopping,
        onFault: (error) => log.error('An export over HTTP failed.', { error }),
        onRefused: (code) => metrics.countRefusedExport(code),
      }),
    readsEnd,
    rootPath,
    trustedHosts: config.auth.csrfTrustedHosts,
    ...(rootUrl !== null && { ownHost: new URL(rootUrl).hostname }),
    issuer: { rootPath, rootUrl, config: config.auth },
    allowedHosts,
    isHttps: config.http.tls !== null || rootUrl?.startsWith('https:') === true,
    allowedOrigins: rootUrl === null ? config.allowedOrigins : [...config.allowedOrigins, new URL(rootUrl).origin],
    registry: offered.routes.length === 0 ? null : metrics.registry,
    log,
  });
}

/** For each of two listeners. */
function halve({ connections, heads }: ConnectionBounds): ConnectionBounds {
  return { connections: Math.floor(connections / 2), heads: Math.floor(heads / 2) };
}

async function openHttp(
  what: ListenerLabel,
  app: FastifyInstance,
  config: Config,
  { port, tls }: ListenerConfig,
  doors: ConnectionBounds,
): Promise<HttpListener> {
  await app.ready();
  const listener = await listenHttp(
    what,
    (request, response) => app.routing(request, response),
    config.addresses,
    port,
    tls,
    doors,
  );
  return {
    port: listener.port,
    close: async (deadlineMs) => {
      await listener.close(deadlineMs);
      await app.close();
    },
  };
}

async function openGrpc(
  { config, log, metrics, authentication, grpcDoors }: Served,
  { receiver, stopping }: Stores,
  { port, tls }: ListenerConfig,
): Promise<HttpListener> {
  const servers: OtlpGrpcServer[] = [];
  const bound = await listenEverywhere(LISTENERS.grpc, config.addresses, port, async (address, wanted) => {
    const server = createOtlpGrpcServer(receiver, {
      callers: authentication.callers,
      trustedProxies: config.auth.trustedProxies,
      maxBytes: config.otlpMaxBytes,
      bounds: { ...grpcDoors, callBytes: Math.floor(grpcDoors.callBytes / config.addresses.length) },
      stopping,
      ...(tls !== null && { tls: toTlsOptions(tls) }),
      onFault: (error) => log.error('An export over gRPC failed.', { error }),
      onRefused: (code) => metrics.countRefusedExport(code),
    });
    const { port: got } = await server.listen(wanted, address);
    servers.push(server);
    return got;
  });
  return {
    port: bound,
    close: async (deadlineMs) => {
      await Promise.all(servers.map((server) => server.close(deadlineMs)));
    },
  };
}

function formatUrl(config: Config, { tls }: ListenerConfig, port: number): string {
  return `${tls === null ? 'http' : 'https'}://${printableHost(config)}:${port}`;
}

/** How this machine's people would write the address. */
function printableHost({ addresses }: Pick<Config, 'addresses'>): string {
  const [first] = addresses;
  if (addresses.length > 1 || first === '0.0.0.0' || first === '::') return 'localhost';
  return first.includes(':') ? `[${first}]` : first;
}
