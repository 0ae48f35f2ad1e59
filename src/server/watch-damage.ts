import { Counter, type Registry } from 'prom-client';
import type { Logger } from '#base/log';
import { type Damage, DAMAGE_KINDS } from '#store/engine/damage';

/** Tells of damage in the log and in metrics, of each thing once. */
export function watchDamage(registry: Registry, log: Logger): (damage: Damage) => void {
  const found = new Counter({
    name: 'cairn_damaged_items_total',
    help: 'Stored items that were found damaged since the server started, by kind; each is counted once.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of DAMAGE_KINDS) found.inc({ kind }, 0);
  return ({ kind, message }) => {
    found.inc({ kind });
    log.error(message);
  };
}
