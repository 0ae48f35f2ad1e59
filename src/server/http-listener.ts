/** The sockets of an HTTP application: one server an address, all with the same bounds, closed without losing requests. */
import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { TlsConfig } from '#config/config';
import { ClosingConnections } from './close-http.ts';
import { Connections } from './connections.ts';
import { headersOfEveryReply } from './every-reply.ts';
import { headOf, listUnfinished, MAX_HEAD_BYTES } from './held-heads.ts';
import { BACKLOG, type ListenerLabel, listenEverywhere } from './listen.ts';
import { readRests } from './read-rest.ts';
import { toTlsOptions } from './tls-options.ts';

/** An HTTP application that listens. */
export interface HttpListener {
  readonly port: number;
  /** Answers what has begun, refuses what is new, and cuts off whoever is still there at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** What the connections of a listener may take. */
export interface ConnectionBounds {
  /** At the same time, see `connections.ts`. */
  readonly connections: number;
  /** Bytes of heads of requests beyond a few kilobytes of each connection, see `held-heads.ts`. */
  readonly heads: number;
}

/**
 * Opens the port at all addresses. A client that takes nothing of its answer for `stallMs` is cut off.
 * @throws AppError `failed_precondition`, see `listenEverywhere`
 */
export async function listenHttp(
  what: ListenerLabel,
  handler: RequestListener,
  addresses: readonly string[],
  port: number,
  tls: TlsConfig | null,
  bounds: ConnectionBounds,
  stallMs = STALL_MS,
): Promise<HttpListener> {
  const servers: Server[] = [];
  const unanswered = new Unanswered();
  const connections = new Connections(bounds.connections);
  const closing = new ClosingConnections();
  const bounded = boundPipelining(
    closing.announce(readRests(demandOneHost(handler, tls !== null))),
    unanswered,
    connections,
  );
  const shed = setInterval(() => connections.shedHeads(servers.flatMap(listUnfinished), bounds.heads), SHED_MS).unref();
  const close = async (deadlineMs: number) => {
    await Promise.all(servers.map((server) => closing.close(server, deadlineMs, (socket) => unanswered.of(socket))));
    clearInterval(shed);
  };
  try {
    const bound = await listenEverywhere(what, addresses, port, async (address, wanted) => {
      const server =
        tls === null
          ? createServer(BOUNDS, bounded)
          : createTlsServer({ ...BOUNDS, ...TLS_BOUNDS, ...toTlsOptions(tls) }, bounded);
      server.prependListener('connection', (socket: Socket) => connections.admit(socket));
      closing.follow(server, tls !== null);
      answerUnreadable(server, unanswered, tls !== null);
      cutOffStalled(server, unanswered, stallMs);
      server.listen({ host: address, port: wanted, backlog: BACKLOG, ipv6Only: address === '::1' });
      await once(server, 'listening');
      servers.push(server);
      return (server.address() as AddressInfo).port;
    });
    return { port: bound, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}

/**
 * Bounds of every connection. Where a body is read it has a shorter deadline of its own; the one here ends a body that
 * nobody reads. An idle connection is kept longer than the 60 s after which proxies give one up, so that they are not
 * cut off in between. A list can be narrowed by a thousand ids, which all stand in the address.
 */
const BOUNDS = {
  headersTimeout: 20_000,
  requestTimeout: 90_000,
  connectionsCheckingInterval: 5000,
  keepAliveTimeout: 72_000,
  maxHeaderSize: MAX_HEAD_BYTES,
};

const TLS_BOUNDS = { handshakeTimeout: 20_000 };

/** How often connections are asked what they hold of heads: a fraction of a second is enough to send many. */
const SHED_MS = 250;

/** Every connection that works takes something in that time; proxies give up one that is silent for so long. */
const STALL_MS = 60_000;

const NONE: ReadonlySet<ServerResponse> = new Set();

/** The answers that each connection has not had yet. */
class Unanswered {
  readonly #responses = new WeakMap<Duplex, Set<ServerResponse>>();

  /** Notes an answer until it is over; returns how many there are. */
  add(socket: Duplex, response: ServerResponse): number {
    const responses = this.#responses.get(socket) ?? this.#watch(socket);
    responses.add(response);
    response.once('close', () => responses.delete(response));
    return responses.size;
  }

  of(socket: Duplex): ReadonlySet<ServerResponse> {
    return this.#responses.get(socket) ?? NONE;
  }

  /** Of a connection that closes Node tells only the answer that is under way, not those that wait for their turn. */
  #watch(socket: Duplex): Set<ServerResponse> {
    const responses = new Set<ServerResponse>();
    this.#responses.set(socket, responses);
    socket.once('close', () => {
      for (const response of responses) if (response.socket === null) response.emit('close');
    });
    return responses;
  }
}

/**
 * A connection may bring requests before the earlier ones are answered, a thousand in one packet. Hardly a client does it;
 * whoever brings more than a few at once, and may read no answer, is cut off.
 */
function boundPipelining(handler: RequestListener, unanswered: Unanswered, connections: Connections): RequestListener {
  return (request, response) => {
    const { socket } = request;
    response.setMaxListeners(MAX_LISTENERS);
    connections.serve(socket, response, headOf(request));
    if (unanswered.add(socket, response) > MAX_PIPELINED) return void socket.destroy();
    handler(request, response);
  };
}

const MAX_PIPELINED = 32;

/** Each account that an answer stands in waits for its end, which are more than Node takes for a leak. */
const MAX_LISTENERS = 20;

/**
 * What stands before the server may go by another of two hosts than the server does; Node keeps the first of them.
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2
 */
function demandOneHost(handler: RequestListener, isHttps: boolean): RequestListener {
  const headers = { ...headersOfEveryReply(isHttps), 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
  return (request, response) => {
    if (!hasSeveralHosts(request.rawHeaders)) return handler(request, response);
    response.writeHead(400, headers).end('The request has several headers Host.');
  };
}

function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hostCount = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hostCount++;
  }
  return hostCount > 1;
}

/** Nothing came and nothing went for a while: the answer is not read, or the connection is of no use to anybody. */
function cutOffStalled(server: Server, unanswered: Unanswered, stallMs: number): void {
  server.setTimeout(stallMs, (socket) => {
    // An answer that is still being made has a time limit of its own.
    if (socket.writableLength > 0 || unanswered.of(socket).size === 0) socket.destroy();
  });
}

/** Answers what never becomes a request, after the requests before it on the connection, which it closes then. */
function answerUnreadable(server: Server, unanswered: Unanswered, isHttps: boolean): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.prependListener('request', (request, response) => responses.set(request.socket, response));
  const refuse = async (error: UnreadableError, socket: Duplex) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    // One whose body is what cannot be read has no answer of its own.
    const before = [...unanswered.of(socket)].filter(({ req }) => req.complete);
    if (socket.writable)
      await Promise.all(before.map((earlier) => new Promise((resolve) => earlier.once('close', resolve))));
    const response = responses.get(socket);
    // Into an answer that is under way nothing can be written.
    const isAnswering = response?.headersSent === true && !response.writableFinished;
    if (socket.writable && !isAnswering) socket.write(formatRefusal(codeOf(error), isHttps));
    socket.destroy();
  };
  server.on('clientError', (error, socket) => void refuse(error, socket));
}

interface UnreadableError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  /** Of the packet. */
  readonly bytesParsed?: number;
}

/** The parser knows the methods that it knows, and takes all else for garbage, also what is a request but for that. */
function codeOf({ code, rawPacket, bytesParsed = 0 }: UnreadableError): string | undefined {
  if (code !== 'HPE_INVALID_METHOD') return code;
  const start = bytesParsed === 0 ? 0 : (rawPacket?.lastIndexOf('\n', bytesParsed - 1) ?? -1) + 1;
  return REQUEST_LINE.test(rawPacket?.toString('latin1', start, start + 4096) ?? '') ? code : undefined;
}

const REQUEST_LINE = /^[!#-'*+.^`|~\w-]{1,40} [!-~]+ HTTP\/1\.[01]\r?\n/;

function formatRefusal(code: string | undefined, isHttps: boolean): string {
  const [status, message] = REFUSALS.get(code) ?? [400, 'This is not a valid HTTP request.'];
  const headers = {
    ...headersOfEveryReply(isHttps),
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(message.length),
    connection: 'close',
    ...(status === 405 && { allow: METHODS }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${message}`;
}

/** Of all paths together: which one was meant is not read with a method that is none. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const REFUSALS: ReadonlyMap<string | undefined, readonly [status: number, message: string]> = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    [431, `Address and headers are longer than ${BOUNDS.maxHeaderSize} bytes. Ask for less at once.`],
  ],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', [413, 'The chunk extensions of the body are too long.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
  ['HPE_INVALID_URL', [400, 'The address is not a valid one. Percent-encode what is not ASCII, and spaces.']],
  ['HPE_INVALID_METHOD', [405, 'This server knows no such method.']],
]);
