/** The HTTP application: what holds for every request, around the route table and the OTLP receiver. */
import type { BlockList } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Callers } from '#api/caller';
import { AppError } from '#base/errors';
import type { Logger } from '#base/log';
import type { IssuerParts } from '#credentials/issuer';
import type { CookieSettings } from '#credentials/session-cookies';
import { enforceAccess } from '#api/rest/access';
import { methodsOfRoutes, registerRoutes } from '#api/rest/register';
import { answerErrors, sendReply, toReply } from '#api/rest/reply';
import type { Route } from '#api/rest/route';
import { slashesInNames } from '#api/rest/slashes-in-names';
import type { AnswerBudget } from './answer-budget.ts';
import { allowAnyOrigin, isForAnyOrigin, isMetFromAnySite, nameMetadata } from './application-paths.ts';
import { EXPORT_ROUTES } from './describe-exports.ts';
import { compressReplies } from './compress-replies.ts';
import { allowOrigins } from './cors.ts';
import { headersOfEveryReply } from './every-reply.ts';
import { type LoadOperations, registerGraphql } from './graphql/routes.ts';
import { holdAnswers, shareRoom, waitForRoom } from './hold-answers.ts';
import { isNavigation } from './fetch-metadata.ts';
import { findRefusal } from './host-guard.ts';
import { timeRequests } from './http-metrics.ts';
import { refuseStrayExport } from './otlp-http.ts';
import { isFromTrustedPage, isMetFromOutside, mayBringCookies, UNTRUSTED_PAGE } from './page-guard.ts';
import { VISITED } from './policy.ts';
import type { TextBodies } from './text-bodies.ts';
import { createPage, registerWebUi, type WebUiOptions } from './web-ui.ts';

/** What an application serves, and to whom. */
export interface HttpAppOptions {
  readonly routes: readonly Route[];
  /** Whether nobody is asked for credentials, so that web pages must be kept out, see `host-guard.ts`. */
  readonly isOpen: boolean;
  /** Finds out who sends a request. */
  readonly callers: Callers;
  /** Whose `X-Forwarded-For` is believed; nobody's unless it says so. */
  readonly trustedProxies?: BlockList | null;
  /** Adds what takes OTLP. */
  readonly receive: (scope: FastifyInstance) => void;
  /** How the cookies of sign-ins are set and cleared. */
  readonly cookies: CookieSettings;
  /** `null` for an application that answers no GraphQL. */
  readonly graphql: LoadOperations | null;
  /** `null` for an application without pages. */
  readonly webUi: Omit<WebUiOptions, 'rootPath'> | null;
  /** Begins with a slash and does not end with one, or empty. Paths are answered with it and without it. */
  readonly rootPath: string;
  /** Whose pages may send requests while callers authenticate, see `page-guard.ts`; everybody's without a list. */
  readonly trustedHosts?: readonly string[] | null;
  /** The name by which people reach it, whose pages may, too. */
  readonly ownHost?: string | undefined;
  /** Names in lower case, see `host-guard.ts`, which keeps pages out while nobody authenticates. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** What the address is made of by which applications know it; those who need credentials are not told of it without. */
  readonly issuer?: IssuerParts;
  /** Whether browsers reach it over HTTPS, by itself or through a proxy. */
  readonly isHttps?: boolean;
  /** The room for answers; one for all applications of a server. */
  readonly answers: AnswerBudget;
  /** What reads the bodies that are text; one for all applications of a server. */
  readonly textBodies: TextBodies;
  /** Ends what only reads when the server stops; it never does without. */
  readonly readsEnd?: AbortSignal;
  /** Where requests are timed; `null` for an application that is not. */
  readonly registry: Registry | null;
  readonly log: Logger;
}

/** An application that answers once it is `ready()`; sockets are its caller's. */
export function createHttpApp(options: HttpAppOptions): FastifyInstance {
  const { rootPath, textBodies, log } = options;
  const everyReply = headersOfEveryReply(options.isHttps === true);
  const withSlashesEncoded = slashesInNames(options.routes);
  const app = Fastify({
    // Routes check what they take and give by their own schemas; Fastify's compilers of schemas need not even be loaded.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    bodyLimit: MAX_JSON_BYTES,
    // A machine that is busy takes longer to load all routes than the ten seconds after which a start would fail.
    pluginTimeout: 0,
    routerOptions: { maxParamLength: MAX_PARAMETER_CHARACTERS },
    rewriteUrl: ({ url = '/' }) =>
      withSlashesEncoded(withoutRootPath(withStrayPercentsEncoded(withoutOrigin(url)), rootPath)),
    // Addresses that cannot be decoded never reach a hook.
    frameworkErrors: (error, _request, reply) => {
      reply.headers(everyReply);
      void sendReply(reply, toReply(error));
    },
  });
  if (options.readsEnd !== undefined) app.decorate('readsEnd', options.readsEnd);
  const trusted = { ...options, trustedHosts: options.trustedHosts ?? null };
  const cookieless = new WeakSet<FastifyRequest>();
  shareRoom(app, options.answers, options.trustedProxies ?? null);
  textBodies.follow(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(everyReply);
    if (options.isOpen) {
      const refusal = findRefusal(
        request.headers,
        options,
        isNavigation(request.method, request.headers) && isPage(request),
      );
      if (refusal !== undefined) throw new AppError('permission_denied', refusal);
      return undefined;
    }
    const isMet = isMetFromOutside(request.routeOptions.url) || isMetFromAnySite(request.url);
    if (!isMet && !isFromTrustedPage(request.headers, trusted)) {
      return sendReply(reply, { status: 401, body: UNTRUSTED_PAGE });
    }
    const isVisit = isNavigation(request.method, request.headers) && (isMet || isPage(request));
    // Nothing below sees or changes the cookies, whatever it is.
    if (!isVisit && !mayBringCookies(request.headers, trusted)) {
      delete request.headers.cookie;
      cookieless.add(request);
    }
    return undefined;
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (cookieless.has(request)) reply.removeHeader('set-cookie');
    done(null, payload);
  });
  if (!options.isOpen) allowAnyOrigin(app);
  allowOrigins(app, options.allowedOrigins, (url) => !options.isOpen && isForAnyOrigin(url));
  if (!options.isOpen && options.issuer !== undefined) nameMetadata(app, options.issuer);
  enforceAccess(app, options.callers, options.trustedProxies);
  app.addHook('onRequest', async (request, reply) => refuseStrayExport(request, reply));
  holdAnswers(app);
  compressReplies(app);
  holdAnswers(app);
  if (options.registry !== null) timeRequests(app, options.registry);
  const webUi = options.webUi === null ? null : { ...options.webUi, rootPath };
  const renderPage = webUi === null ? null : createPage(webUi);
  const onFault = (error: unknown, request: FastifyRequest) => {
    const fields = { method: request.method, route: request.routeOptions.url, error };
    if (hasLeft(error, request)) log.debug('A client disconnected before it received the response.', fields);
    else log.error('A request failed.', fields);
  };
  answerErrors(app, onFault, renderPage, methodsOfRoutes([...options.routes, ...EXPORT_ROUTES]));
  app.register(async (scope) => options.receive(scope));
  app.register(async (scope) => {
    waitForRoom(scope, options.answers);
    registerRoutes(scope, options.routes, (request, maxBytes) => textBodies.read(request, maxBytes));
  });
  if (options.graphql !== null) registerGraphql(app, { ...options, load: options.graphql });
  if (webUi !== null && renderPage !== null) registerWebUi(app, renderPage, webUi);
  return app;
}

/** Whether people open the address in a tab; one that nothing answers to says so on a page. */
function isPage({ is404, routeOptions }: FastifyRequest): boolean {
  return is404 || VISITED.has(routeOptions.config.access);
}

/** Whether it is that the client closed its connection, while it sent or before it had everything. */
function hasLeft(error: unknown, { raw }: FastifyRequest): boolean {
  return raw.socket.destroyed && error instanceof Error && 'code' in error && BROKEN_CONNECTION.has(String(error.code));
}

const BROKEN_CONNECTION: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

function noCompiler(): never {
  throw new Error('a route has a schema for Fastify, which compiles none here');
}

/** OTLP has its own bound. */
const MAX_JSON_BYTES = 10 * 1024 * 1024;

/** Names of projects and sessions can be long, and three characters each when encoded. */
const MAX_PARAMETER_CHARACTERS = 16_384;

/** Phoenix's Python client puts a project's name into the path as it is, and means `50% off` where it writes `50%%20off`. */
function withStrayPercentsEncoded(url: string): string {
  return url.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25');
}

/** A client that takes this server for a proxy sends the whole address. @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2.2 */
function withoutOrigin(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '');
}

function withoutRootPath(url: string, rootPath: string): string {
  if (rootPath === '' || !url.startsWith(rootPath)) return url;
  const rest = url.slice(rootPath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : url;
}
