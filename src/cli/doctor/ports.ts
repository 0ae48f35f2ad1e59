import { createServer } from 'node:net';
import type { Config } from '#config/config';
import type { Finding } from './finding.ts';

/**
 * Whether each port is free on each address, by listening there for a moment.
 * @param server who has the ports where the server runs, for people; `undefined` where it does not
 */
export async function checkPorts(
  config: Pick<Config, 'addresses' | 'http' | 'grpc' | 'otlpHttp'>,
  server: string | undefined,
): Promise<Finding[]> {
  const listeners = [
    { check: 'HTTP port', variable: 'SERVICE_PORT', port: config.http.port },
    { check: 'gRPC port', variable: 'SERVICE_GRPC_PORT', port: config.grpc.port },
    { check: 'OTLP/HTTP port', variable: 'SERVICE_OTLP_HTTP_PORT', port: config.otlpHttp?.port },
  ];
  const findings: Finding[] = [];
  for (const { check, variable, port } of listeners) {
    if (port === undefined) continue;
    const failure = await findListenFailure(config.addresses, port);
    findings.push({ check, ...describe(failure, port, variable, server) });
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
    return { status: 'ok', message: port === 0 ? '0, so the server takes any free port' : `${port} is free` };
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
        repair: 'Set SERVICE_HOST to localhost, or to 0.0.0.0 for every address.',
      };
    default:
      return {
        status: 'problem',
        message: `${port} on ${address} cannot be opened (${code})`,
        repair: `Choose another port with ${variable}, or another address with SERVICE_HOST.`,
      };
  }
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
