import { randomUUID } from 'node:crypto';
import type { Config } from '#config/config';
import type { EngineConfig } from '#store/engine/engine-config';
import type { PostgresAddress } from '#store/engine/postgres-address';
import { addressOf } from '#store/postgres/address-of';
import { pageCacheBytes } from './memory-sizes.ts';

/** The engine that a configuration asks for. */
export function engineOf({
  database,
  storageGuard,
  maxMemoryBytes,
}: Pick<Config, 'database' | 'storageGuard'> & Partial<Pick<Config, 'maxMemoryBytes'>>): EngineConfig {
  const blockAboveBytes = storageGuard?.blockAboveBytes ?? null;
  if (database.engine === 'sqlite') {
    const cacheBytes = maxMemoryBytes === undefined ? undefined : pageCacheBytes(maxMemoryBytes);
    return { engine: 'sqlite', path: database.path, blockAboveBytes, cacheBytes };
  }
  const address = addressOf(database.primary, database.schema);
  return { engine: 'postgres', address, serverId: randomUUID(), blockAboveBytes };
}

/** The replica that a configuration names. */
export function replicaOf({ database }: Pick<Config, 'database'>): PostgresAddress | null {
  if (database.engine === 'sqlite' || database.replica === null) return null;
  return addressOf(database.replica, database.schema);
}
