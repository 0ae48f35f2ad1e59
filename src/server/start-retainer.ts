import { AppError } from '#base/errors';
import type { Logger } from '#base/log';
import type { Config } from '#config/config';
import { systemCaller } from '#domain/caller';
import type { RetentionCommands } from '#resources/retention/commands';
import { retentionPolicy } from '#resources/retention/policy';
import { remoteCommands } from '#store/commands/remote-commands';
import type { Database } from '#store/database';
import { causeOf } from '#store/threads/thread';
import { retentionJob } from '#store/retention/retainer';

/** Applies the retention policies of a database while this server holds that job, and says in the log what each came to. */
export function startRetainer({ defaultRetentionDays }: Config, database: Database, log: Logger): void {
  const { read, remover } = database;
  const commands = remoteCommands<RetentionCommands>(retentionPolicy, database.runCommand);
  const caller = systemCaller('retention');
  database.coordination.serve('retention', () =>
    retentionJob({
      read,
      seedDefault: (maxDays) => commands.seedDefault(caller, maxDays),
      noteApplied: (rowId, atUs) => commands.noteApplied(caller, { rowId, atUs }),
      remove: (request) => remover.delete(request),
      onApplied: (policy, project, { traceCount, spanCount }) =>
        log.info('A retention policy deleted traces.', { policy: policy.name, project, traceCount, spanCount }),
      // Where a statement was asked says nothing of a database that is away.
      onError: (message, error) =>
        log.error(message, error instanceof AppError ? { reason: causeOf(error) } : { error }),
      now: () => Date.now() * 1000,
      defaultDays: defaultRetentionDays,
      everyMs: EVERY_MS,
    }),
  );
}

/** Policies are due on full hours. */
const EVERY_MS = 60_000;
