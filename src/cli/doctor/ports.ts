import { createServer } from 'node:net';
import type { Config } from '#config/config';
import type { Finding } from './finding.ts';

/**
 * Whether each port is free on each address, by listening there for a moment.
 * @param server who has the ports where the server runs, for people; `undefined` where it does not
 */
export async function checkPorts(
  config: Pick<Config, 'addresses' | 'http' | 'grpc' | 'otlpHttp' | 'metrics'>,
  server: string | undefined,
): Promise<Finding[]> {
  const { addresses, http, grpc, otlpHttp, metrics } = config;
  const listeners = [
    { check: 'HTTP port', variable: 'SERVICE_PORT', port: http.port, addresses },
    { check: 'gRPC port', variable: 'SERVICE_GRPC_PORT', port: grpc.port, addresses },
    { check: 'OTLP/HTTP port', variable: 'SERVICE_OTLP_HTTP_PORT', port: otlpHttp?.port, addresses },
    { check: 'Metrics port', variable: 'SERVICE_METRICS_PORT', addresses, ...metrics },
  ];
  const findings: Finding[] = [];
  for (const listener of listeners) {
    if (listener.port === undefined) continue;
    const failure = await findListenFailure(listener.addresses, listener.port);
    findings.push({ check: listener.check, ...describe(failure, listener.port, listener.variable, server) });
  }
  return findings;
}

interface ListenFailure {
  readonly address: string;
  readonly code: string;
}

function describe(
  failure: ListenFailure | undefined,
  port: number,
  variable: string,
  server: string | undefined,
): Omit<Finding, 'check'> {
  if (failure === undefined) {
    if (port === 0) return { status: 'ok', message: '0, so the server takes any free port' };
    if (server === undefined) return { status: 'ok', message: `${port} is free` };
    return {
      status: 'ok',
      message: `${port} is free: the running server (${server}) was started with another port`,
      repair: `${port} comes from ${flagOf(variable)}${variable}, or is its default. To check the ports of the running server, give the doctor the server's settings.`,
    };
  }
  const { address, code } = failure;
  switch (code) {
    case 'EADDRINUSE':
      if (server !== undefined) {
        return { status: 'ok', message: `${port} is in use by the running server (${server})` };
      }
      return {
        status: 'problem',
        message: `${port} is in use on ${address}`,
        repair: `Stop the program that uses it, or choose another port with ${variable}.`,
      };
    case 'EACCES':
      return {
        status: 'problem',
        message: `${port} on ${address} needs permissions that this user does not have`,
        repair: `Choose a port above 1023 with ${variable}.`,
      };
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return {
        status: 'problem',
        message: `${address} is not an address of this machine`,
        repair: `Set ${hostOf(variable)} to localhost, or to 0.0.0.0 for every address.`,
      };
    default:
      return {
        status: 'problem',
        message: `${port} on ${address} cannot be opened (${code})`,
        repair: `Choose another port with ${variable}, or another address with ${hostOf(variable)}.`,
      };
  }
}

/** The flag of a port before its variable, if it has one. */
function flagOf(variable: string): string {
  const flag = { SERVICE_PORT: '--port', SERVICE_GRPC_PORT: '--grpc-port' }[variable];
  return flag === undefined ? '' : `${flag} or `;
}

/** What says the addresses of a port. */
function hostOf(variable: string): string {
  return variable === 'SERVICE_METRICS_PORT' ? 'SERVICE_METRICS_HOST' : 'SERVICE_HOST';
}

/** The addresses after the first are for machines that have them. */
async function findListenFailure(addresses: readonly string[], port: number): Promise<ListenFailure | undefined> {
  for (const [index, address] of addresses.entries()) {
    const code = await tryListen(address, port);
    if (code === undefined || (index > 0 && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT'))) continue;
    return { address, code };
  }
  return undefined;
}

function tryListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}
