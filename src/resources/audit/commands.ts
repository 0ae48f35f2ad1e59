/** What the log of who did what is added to and taken from, beside the rows that commands leave themselves. */
import { insertAuditRows, type Refusal, refusalRow } from '#store/commands/audit';
import { defineCommands, recordCommand } from '#store/commands/command';
import { auditPolicy } from './policy.ts';

/** The commands. */
export const auditCommands = defineCommands(auditPolicy, {
  /** Changes nothing: that it was called is what is kept. */
  export: recordCommand(async (scope, _caller, format: string): Promise<void> => scope.note({ changes: [format] })),

  /** Adds what was refused. */
  recordRefusals: recordCommand(({ db }, _caller, refusals: readonly Refusal[]) =>
    insertAuditRows(db, refusals.map(refusalRow)),
  ),

  /** Deletes rows that are older, so many at most, the oldest first; gives how many there were. */
  prune: recordCommand(
    async ({ db }, _caller, { beforeUs, limit }: { readonly beforeUs: number; readonly limit: number }) => {
      const oldest = db
        .selectFrom('audit_events')
        .select('id')
        .where('occurred_at_us', '<', beforeUs)
        .orderBy('occurred_at_us')
        .limit(limit);
      const { numDeletedRows } = await db.deleteFrom('audit_events').where('id', 'in', oldest).executeTakeFirst();
      return Number(numDeletedRows);
    },
  ),
});

/** What callers in other threads get. */
export type AuditCommands = typeof auditCommands;
