import { AppError } from '#base/errors';
import type { Logger } from '#base/log';
import type { Config } from '#config/config';
import { systemCaller } from '#domain/caller';
import type { AnnotationQueueCommands } from '#resources/annotation-queues/commands';
import { annotationQueuePolicy } from '#resources/annotation-queues/policy';
import type { AnnotationCommands } from '#resources/annotations/commands';
import { annotationPolicy } from '#resources/annotations/policy';
import type { AuditCommands } from '#resources/audit/commands';
import { auditPolicy } from '#resources/audit/policy';
import type { RetentionCommands } from '#resources/retention/commands';
import { retentionPolicy } from '#resources/retention/policy';
import { remoteCommands } from '#store/commands/remote-commands';
import type { Database } from '#store/database';
import type { RunningJob } from '#store/jobs/job';
import { queueRulesJob } from '#store/retention/apply-queue-rules';
import { auditPruningJob } from '#store/retention/prune-audit';
import { causeOf } from '#store/threads/thread';
import { settlingJob } from '#store/retention/settle-annotations';
import { retentionJob } from '#store/retention/retainer';

/**
 * Applies the retention policies of a database while this server holds that job, and says in the log what each came to. The same server
 * deletes what the audit log has kept for long enough, gives up annotations that have waited for long enough, and adds to review queues what
 * their rules ask for.
 */
export function startRetainer(
  { defaultRetentionDays, auditRetentionDays }: Pick<Config, 'defaultRetentionDays' | 'auditRetentionDays'>,
  database: Database,
  log: Logger,
): void {
  const { read, remover } = database;
  const commands = remoteCommands<RetentionCommands>(retentionPolicy, database.runCommand);
  const caller = systemCaller('retention');
  const retention = () =>
    retentionJob({
      read,
      seedDefault: (maxDays) => commands.seedDefault(caller, maxDays),
      noteApplied: (rowId, atUs) => commands.noteApplied(caller, { rowId, atUs }),
      remove: (request) => remover.delete(request),
      onApplied: (policy, project, { traceCount, spanCount }) =>
        log.info('A retention policy deleted traces.', { policy: policy.name, project, traceCount, spanCount }),
      onError: (message, error) => log.error(message, reasonOf(error)),
      now: () => Date.now() * 1000,
      defaultDays: defaultRetentionDays,
      everyMs: EVERY_MS,
    });
  const audit = remoteCommands<AuditCommands>(auditPolicy, database.runCommand);
  const pruning = () =>
    auditPruningJob({
      days: auditRetentionDays,
      prune: (beforeUs, limit) => audit.prune(caller, { beforeUs, limit }),
      now: () => Date.now() * 1000,
      onError: (error) =>
        log.error('Old events of the audit log could not be deleted. The server tries again later.', reasonOf(error)),
    });
  const annotations = remoteCommands<AnnotationCommands>(annotationPolicy, database.runCommand);
  const settling = () =>
    settlingJob({
      read: { db: database.readPrimary, dialect: database.dialect },
      settle: (rowIds) => annotations.settleWaiting(caller, rowIds),
      onGivenUp: (count) =>
        log.warn('Annotations were given up: no span, trace or session with their id arrived within an hour.', {
          count,
        }),
      now: () => Date.now() * 1000,
      onError: (error) =>
        log.error('Annotations that wait could not be looked at. The server tries again later.', reasonOf(error)),
    });
  const queues = remoteCommands<AnnotationQueueCommands>(annotationQueuePolicy, database.runCommand);
  const queueing = () =>
    queueRulesJob({
      ...database.queueRules,
      apply: (step) => queues.applyRule(caller, step),
      onError: (error) =>
        log.error('Rules of review queues could not be applied. The server tries again later.', reasonOf(error)),
    });
  database.coordination.serve('retention', () => together([retention(), pruning(), settling(), queueing()]));
}

/** Where a statement was asked says nothing of a database that is away. */
function reasonOf(error: unknown) {
  return error instanceof AppError ? { reason: causeOf(error) } : { error };
}

/** Jobs that one server holds together. */
function together(jobs: readonly RunningJob[]): RunningJob {
  return {
    wake: () => {
      for (const job of jobs) job.wake();
    },
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}

/** Policies are due on full hours. */
const EVERY_MS = 60_000;
