import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from '#base/log';
import type { ReplicaWatcher } from '#store/replica-readers';

/** Tells of a replica in the log and in metrics. */
export function watchReplica(registry: Registry, log: Logger): ReplicaWatcher {
  const registers = [registry];
  const reads = new Counter({
    name: 'cairn_replica_reads_total',
    help: 'Reads that may go to the replica, by the server that answered them.',
    labelNames: ['server'],
    registers,
  });
  for (const server of ['replica', 'primary']) reads.inc({ server }, 0);
  const used = new Gauge({
    name: 'cairn_replica_used',
    help: '1 while reads go to the replica, 0 while the primary answers them.',
    registers,
  });
  const lag = new Gauge({
    name: 'cairn_replica_lag_seconds',
    help: 'Lag of the replica behind the primary at the last successful check.',
    registers,
  });
  return {
    onRead: (server) => reads.inc({ server }),
    onLag: (milliseconds) => lag.set(milliseconds / 1000),
    onUsed: () => {
      used.set(1);
      log.info('Reads go to the replica.');
    },
    onUnused: (reason) => {
      used.set(0);
      log.warn('Reads go to the primary: the replica cannot be used for now.', { reason });
    },
  };
}
