/** The sockets of an HTTP application: one server an address, all with the same bounds, closed without losing requests. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { TlsConfig } from '#config/config';
import { listenEverywhere } from './listen.ts';
import { toTlsOptions } from './tls-options.ts';

/** An HTTP application that listens. */
export interface HttpListener {
  readonly port: number;
  /** Answers what has begun, refuses what is new, and cuts off whoever is still there at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** Opens the port at all addresses. @throws AppError `failed_precondition`, see `listenEverywhere` */
export async function listenHttp(
  what: { readonly label: string; readonly setting: string },
  handler: RequestListener,
  addresses: readonly string[],
  port: number,
  tls: TlsConfig | null,
): Promise<HttpListener> {
  const servers: Server[] = [];
  const close = async (deadlineMs: number) => {
    await Promise.all(servers.map((server) => closeServer(server, deadlineMs)));
  };
  try {
    const bound = await listenEverywhere(what, addresses, port, async (address, wanted) => {
      const server =
        tls === null ? createServer(BOUNDS, handler) : createTlsServer({ ...BOUNDS, ...toTlsOptions(tls) }, handler);
      server.listen({ host: address, port: wanted, ipv6Only: address === '::1' });
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
 * Bounds of every connection. Bodies have deadlines of their own, so a request as a whole has none here; an idle
 * connection is kept longer than the 60 s after which proxies give one up, so that they are not cut off in between.
 */
const BOUNDS = { headersTimeout: 20_000, requestTimeout: 0, keepAliveTimeout: 72_000, maxHeaderSize: 16_384 };

async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection turns idle when its last answer is sent, which can be after the sweep above.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
}
