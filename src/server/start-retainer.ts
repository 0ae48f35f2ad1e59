import type { Logger } from '#base/log';
import type { Config } from '#config/config';
import type { Database } from '#store/database';
import { Retainer } from '#store/retention/retainer';

/** Applies the retention policies of a database while this server leads that, and says in the log what each came to. */
export function startRetainer({ defaultRetentionDays }: Config, database: Database, log: Logger): void {
  const { read, write, remover } = database;
  database.coordination.lead('retention', () => {
    const retainer = new Retainer({
      read,
      write,
      remove: (request) => remover.delete(request),
      onApplied: (policy, project, { traceCount, spanCount }) =>
        log.info('A retention policy deleted traces.', { policy: policy.name, project, traceCount, spanCount }),
      onError: (message, error) => log.error(message, { error }),
      now: () => Date.now() * 1000,
      defaultDays: defaultRetentionDays,
      everyMs: EVERY_MS,
    });
    retainer.start();
    return retainer;
  });
}

/** Policies are due on full hours. */
const EVERY_MS = 60_000;
