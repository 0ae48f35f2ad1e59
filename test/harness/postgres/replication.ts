/** A primary and a standby that streams from it, as replicas are in production. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { type PostgresCluster, startCluster } from './cluster.ts';
import { type FoundPostgres, findPostgres } from './find-postgres.ts';

/** Both servers log every statement, each line with the name of the application. */
export interface ReplicatedClusters {
  readonly primary: PostgresCluster;
  readonly standby: PostgresCluster;
}

/** Tests that need a replica; where none can be made they are skipped, and the run says why. */
export function describeReplica(name: string, tests: () => void): void {
  const found = findReplication();
  if (typeof found === 'string') console.warn(`Skipped: ${name}. ${found}.`);
  // oxlint-disable-next-line vitest/valid-title -- the caller's
  describe.skipIf(typeof found === 'string')(name, () => {
    tests();
  });
}

/** Starts both. */
export async function startReplicatedClusters(): Promise<ReplicatedClusters> {
  const found = findReplication();
  if (typeof found === 'string') throw new Error(found);
  const settings = { log_statement: 'all', log_line_prefix: '%a|' };
  const primary = await startCluster(found, { isFollowed: true, settings });
  const standby = await startCluster(found, {
    follows: primary.address,
    // Replay goes before reads, so that conflicts are seen at once.
    settings: { ...settings, max_standby_streaming_delay: '0', wal_retrieve_retry_interval: '100ms' },
  });
  return { primary, standby };
}

/** The binaries, or why there is no replica. */
function findReplication(): (FoundPostgres & { readonly kind: 'binaries' }) | string {
  const found = findPostgres();
  if (found.kind === 'none') return found.reason;
  if (found.kind === 'server') return 'A replica cannot be made of the server that CAIRN_TEST_POSTGRES_URL names';
  return existsSync(join(found.folder, 'pg_basebackup')) ? found : `no pg_basebackup in ${found.folder}`;
}
