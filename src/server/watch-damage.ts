import { Counter, Gauge, type Registry } from 'prom-client';
import type { Logger } from '#base/log';
import type { DatabaseOptions } from '#store/database';
import { DAMAGE_KINDS } from '#store/engine/damage';

/** Tells of damage in the log and in metrics, of each thing once, and of its end. */
export function watchDamage(
  registry: Registry,
  log: Logger,
): Pick<DatabaseOptions, 'onDamage' | 'onShared' | 'onMended'> {
  const found = new Counter({
    name: 'cairn_damaged_items_total',
    help: 'Stored items that were found damaged since the server started, or known to be by the one before, by kind; each is counted once.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const known = new Gauge({
    name: 'cairn_damaged_items',
    help: 'Stored items that are known to be damaged, by kind, until they are stored again, made again or deleted.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of DAMAGE_KINDS) {
    found.inc({ kind }, 0);
    known.set({ kind }, 0);
  }
  return {
    onDamage: ({ kind, message, shared }) => {
      found.inc({ kind });
      known.inc({ kind });
      // How many spans share it is said once they are counted.
      if (shared === undefined) log.error(message);
    },
    onShared: (shared, spanCount) =>
      log.error(`The ${shared} is lost, and with it at least ${spanCount} spans that share it.`),
    onMended: ({ kind, message }) => {
      known.dec({ kind });
      log.info('Stored data that was damaged is whole again, or deleted.', { damage: message });
    },
  };
}
