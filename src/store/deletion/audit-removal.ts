/** Who deleted and moved what, in the transaction that does it. Operations are those of the policy of deletion. */
import type { Caller } from '#domain/caller';
import { type AuditNote, writeAudit } from '../commands/audit.ts';
import type { QueryScope } from '../queries/prepared-query.ts';
import type { Deletion } from './deletion.ts';

/** A project that was deleted with all that it held. */
export function auditProjectDeletion({ db }: QueryScope, caller: Caller, deletion: Deletion): Promise<void> {
  return writeAudit(db, 'deletion.deleteProject', caller, [{ ...noteOfProject(deletion), changes: ['deleted'] }]);
}

/** Traces that somebody wants deleted. What retention deletes is kept with its policy. */
export async function auditDeletion(scope: QueryScope, caller: Caller, deletion: Deletion): Promise<void> {
  const { projectRowId, selection, reason } = deletion;
  if (selection === null || reason === 'retention') return;
  const { db } = scope;
  if ('traceRowIds' in selection) {
    const notes = await notesOfTraces(scope, selection.traceRowIds, { projectRowId, changes: ['deleted'] });
    return writeAudit(db, 'deletion.deleteTraces', caller, notes);
  }
  if ('sessionRowIds' in selection) {
    const notes = await notesOfSessions(scope, selection.sessionRowIds, { projectRowId, changes: ['deleted'] });
    return writeAudit(db, 'deletion.deleteSessions', caller, notes);
  }
  return writeAudit(db, 'deletion.clearProject', caller, [{ ...noteOfProject(deletion), changes: ['traces'] }]);
}

/** A span that was deleted. */
export function auditSpanDeletion(
  { db }: QueryScope,
  caller: Caller,
  span: { readonly rowId: number; readonly spanId: string; readonly projectRowId: number },
): Promise<void> {
  const { rowId, spanId, projectRowId } = span;
  const object = { type: 'Span', id: rowId, name: spanId };
  return writeAudit(db, 'deletion.deleteSpan', caller, [{ object, projectRowId, changes: ['deleted'] }]);
}

/** Traces that were moved to a project. */
export async function auditMove(
  scope: QueryScope,
  caller: Caller,
  traceRowIds: readonly number[],
  projectRowId: number,
): Promise<void> {
  const notes = await notesOfTraces(scope, traceRowIds, { projectRowId, changes: ['project'] });
  return writeAudit(scope.db, 'deletion.transferTraces', caller, notes);
}

function noteOfProject({ projectRowId, projectName }: Deletion): AuditNote {
  return { object: { type: 'Project', id: projectRowId, name: projectName }, projectRowId };
}

type Rest = Omit<AuditNote, 'object'>;

/** Named as their applications know them. */
async function notesOfTraces(
  { db, dialect }: QueryScope,
  rowIds: readonly number[],
  rest: Rest,
): Promise<readonly AuditNote[]> {
  const rows = await db
    .selectFrom('traces')
    .select(['id', 'trace_id as name'])
    .where('id', 'in', dialect.numbersOf(rowIds))
    .orderBy('id')
    .execute();
  return rows.map(({ id, name }) => ({ ...rest, object: { type: 'Trace', id, name } }));
}

/** By their ids alone: what applications call sessions may be text of people. */
async function notesOfSessions(
  { db, dialect }: QueryScope,
  rowIds: readonly number[],
  rest: Rest,
): Promise<readonly AuditNote[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', 'in', dialect.numbersOf(rowIds))
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => ({ ...rest, object: { type: 'ProjectSession', id } }));
}
