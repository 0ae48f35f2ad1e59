/** Finds out whether the ports of a configuration can be opened, before a start creates or upgrades any data. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Config } from '#config/config';
import { findLockHolder } from '#store/sqlite/server-lock';
import { LISTENERS, listenEverywhere } from './listen.ts';

/**
 * Opens each port for a moment. Says nothing where another server has the data open: that server is the reason to name then.
 * @throws AppError `failed_precondition` as a start would, see `listenEverywhere`
 */
export async function checkPorts(config: Config): Promise<void> {
  const { addresses, database, http, grpc, otlpHttp, metrics } = config;
  if (database.engine === 'sqlite' && findLockHolder(database.path) !== undefined) return;
  await listenEverywhere(LISTENERS.http, addresses, http.port, listenForAMoment);
  await listenEverywhere(LISTENERS.grpc, addresses, grpc.port, listenForAMoment);
  if (otlpHttp !== null) await listenEverywhere(LISTENERS.otlpHttp, addresses, otlpHttp.port, listenForAMoment);
  if (metrics !== null) await listenEverywhere(LISTENERS.metrics, metrics.addresses, metrics.port, listenForAMoment);
}

async function listenForAMoment(host: string, wanted: number): Promise<number> {
  const server = createServer().listen({ host, port: wanted });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
