/** Changes of annotations and notes. Each locks what it says something of, which therefore neither goes nor moves meanwhile. */
import { AppError } from '#base/errors';
import { formatGlobalId } from '#base/global-id';
import {
  type Annotation,
  type AnnotationChange,
  type AnnotationSource,
  type AnnotationTarget,
  authorOf,
  checkAnnotations,
  deletableBy,
  faultOfAnnotation,
  faultOfIdentifier,
  mayPatch,
  type NewAnnotation,
  NOTE_NAME,
} from '#domain/annotation';
import type { Caller } from '#domain/caller';
import { storeAnnotations } from '#store/annotations/write/annotation-rows';
import { lockTargets } from '#store/annotations/write/find-targets';
import { assertConfigsAllow, REFUSED_BY_CONFIG } from '#store/annotations/write/strict-configs';
import { letWait, type SentAnnotation, settleWaiting, storeSent, WAITING_US } from '#store/annotations/write/waiting';
import type { SettledCounts } from '#store/retention/settle-annotations';
import { defineCommands, growing, type RecordScope, recordCommand, telemetryCommand } from '#store/commands/command';
import { LedgerEntries } from '#store/spans/write/ledger';
import { annotationPolicy } from './policy.ts';
import { ANNOTATION_COLUMNS } from './queries.ts';
import { deleteByName } from './commands/delete-by-name.ts';
import { deleteMatching } from './commands/delete-matching.ts';
import { noteChanges, tellProjects, touchProjects } from './commands/tell.ts';

/** Annotations to store, all of one kind of target. */
export interface StoreInput {
  readonly target: AnnotationTarget;
  readonly annotations: readonly NewAnnotation[];
  readonly source: AnnotationSource;
}

/** Annotations by their row ids, all of one kind of target. */
export interface DeleteInput {
  readonly target: AnnotationTarget;
  readonly rowIds: readonly number[];
  /** Whether only notes may be among them; absent where both may. */
  readonly isNote?: boolean;
}

const POLICY = growing(annotationPolicy, 'store', 'storeFound', 'storeLater', 'patch');

/** The commands. */
export const annotationCommands = defineCommands(POLICY, {
  /**
   * Stores annotations, each in place of the one that has its target, name and identifier; gives the row id of each, in their order.
   * @throws AppError `invalid_argument`; `not_found` where a target is not there, and nothing is stored then
   */
  store: recordCommand(
    async (scope, caller, { target, annotations, source }: StoreInput): Promise<readonly number[]> => {
      checkAnnotations(caller, target, annotations);
      await assertConfigsAllow(scope, annotations);
      const targets = await lockTargets(
        scope,
        target,
        annotations.map(({ of }) => of),
      );
      assertFound(target, annotations, targets);
      const userRowId = authorOf(caller);
      const rows = annotations.flatMap(({ of, ...annotation }) => {
        const found = targets.get(of);
        if (found === undefined) return [];
        const { rowId: targetRowId, projectRowId } = found;
        const said = { ...annotation, source: annotation.source ?? source };
        return { ...said, targetRowId, projectRowId, userRowId, isCarried: false, atUs: scope.nowUs };
      });
      const rowIds = await storeAnnotations(scope, target, rows, { keepsNewer: false });
      const stored = rows.flatMap((row, index) => ({ ...row, target, rowId: rowIds[index] ?? 0 }));
      noteChanges(scope, stored, ['stored']);
      touchProjects(scope, stored);
      return rowIds.flatMap((rowId) => rowId ?? []);
    },
  ),

  /**
   * Stores annotations of targets that are there, each unless a newer one has its key; gives the places of those that are left.
   * @throws AppError `invalid_argument`
   */
  storeFound: recordCommand(async (scope, caller, input: StoreInput): Promise<readonly number[]> => {
    const sent = toSent(scope, caller, input);
    await assertConfigsAllow(scope, sent);
    const { projectRowIds, missing } = await storeSent(scope, sent);
    tellProjects(scope, input.target, projectRowIds);
    const left = new Set(missing);
    return [...sent.entries()].flatMap(([place, annotation]) => (left.has(annotation) ? place : []));
  }),

  /**
   * The same, and those that are left wait for their targets. In the turn of those who store spans, so that no target arrives unseen meanwhile.
   * @throws AppError `invalid_argument`; `resource_exhausted` where too many wait
   */
  storeLater: telemetryCommand(async (scope, caller, input: StoreInput): Promise<void> => {
    const sent = toSent(scope, caller, input);
    await assertConfigsAllow(scope, sent);
    const { projectRowIds, missing } = await storeSent(scope, sent);
    await letWait(scope, missing, scope.nowUs, 'refuse');
    tellProjects(scope, input.target, projectRowIds);
  }),

  /** Stores annotations that waited and whose target is there, and gives up those that waited for too long. */
  settleWaiting: telemetryCommand(async (scope, _caller, rowIds: readonly number[]): Promise<SettledCounts> => {
    const settled = await settleWaiting(scope, rowIds, scope.nowUs - WAITING_US);
    const { projectRowIds, storedCount, expired, refusedCount } = settled;
    const ledger = new LedgerEntries();
    const shared = { projectId: 0, keyRowId: 0, signal: 'annotations' } as const;
    ledger.add({ ...shared, outcome: 'rejected', reason: REFUSED_BY_CONFIG }, refusedCount);
    let expiredCount = 0;
    for (const [target, count] of expired) {
      ledger.add({ ...shared, outcome: 'expired', reason: `no_${target === 'document' ? 'span' : target}` }, count);
      expiredCount += count;
    }
    await ledger.write(scope, scope.nowUs);
    for (const projectRowId of projectRowIds) scope.touch({ projectRowId, traceIds: null });
    return { settledCount: storedCount + expiredCount + refusedCount, givenUpCount: expiredCount };
  }),

  /**
   * Changes annotations of the caller, each once, all or none; gives them as they are then, in their order.
   * @throws AppError `invalid_argument`, `not_found`, `permission_denied` for those of others, `already_exists` for a key that is taken
   */
  patch: recordCommand(
    async (
      scope,
      caller,
      { target, changes }: { target: AnnotationTarget; changes: readonly (AnnotationChange & { rowId: number })[] },
    ): Promise<readonly Annotation[]> => {
      const rowIds = changes.map(({ rowId }) => rowId);
      const before = await lockAnnotations(scope, target, rowIds);
      if (!before.every((annotation) => mayPatch(caller, annotation))) {
        throw new AppError('permission_denied', 'At least one annotation is not associated with the current user.');
      }
      if (before.some(({ name }) => name === NOTE_NAME)) throw noteRefusal();
      const patched: Annotation[] = [];
      for (const { rowId, ...change } of changes) patched.push(await patchOne(scope, caller, rowId, change));
      await assertConfigsAllow(scope, patched);
      noteChanges(scope, patched, fieldsOf(changes));
      touchProjects(scope, patched);
      return patched;
    },
  ),

  /**
   * Deletes annotations, all or none; gives them as they were, in their order.
   * @throws AppError `invalid_argument`, `not_found`, `permission_denied` for those of others
   */
  delete: recordCommand(
    async (scope, caller, { target, rowIds, isNote }: DeleteInput): Promise<readonly Annotation[]> => {
      const deleted = await lockAnnotations(scope, target, rowIds);
      if (isNote !== undefined && deleted.some(({ name }) => (name === NOTE_NAME) !== isNote)) throw noteRefusal();
      const whose = deletableBy(caller);
      if (whose !== 'all' && deleted.some(({ userRowId }) => userRowId !== whose.userRowId)) {
        throw new AppError('permission_denied', 'Only their authors and administrators can delete annotations.');
      }
      await scope.db.deleteFrom('annotations').where('id', 'in', scope.dialect.numbersOf(rowIds)).execute();
      noteChanges(scope, deleted, ['deleted']);
      touchProjects(scope, deleted);
      return deleted;
    },
  ),

  deleteMatching: recordCommand(deleteMatching),

  deleteByName: recordCommand(deleteByName),
});

function toSent(
  { nowUs }: Pick<RecordScope, 'nowUs'>,
  caller: Caller,
  { target, annotations, source }: StoreInput,
): readonly SentAnnotation[] {
  checkAnnotations(caller, target, annotations);
  const userRowId = authorOf(caller);
  const shared = { target, source, userRowId, atUs: nowUs, reach: null, isCarried: false };
  return annotations.map((annotation) => ({ ...annotation, ...shared }));
}

/** What callers in other threads get. */
export type AnnotationCommands = typeof annotationCommands;

function fieldsOf(changes: readonly object[]): readonly string[] {
  return [...new Set(changes.flatMap((change) => Object.keys(change)))].filter((field) => field !== 'rowId');
}

async function patchOne(
  scope: RecordScope,
  caller: Caller,
  rowId: number,
  change: AnnotationChange,
): Promise<Annotation> {
  const fault = faultOfAnnotation(change) ?? faultOfIdentifier(caller, change.identifier);
  if (fault !== null) throw new AppError('invalid_argument', fault);
  const { name, identifier, annotatorKind, label, score, explanation, metadata, source } = change;
  if (name === NOTE_NAME) throw noteRefusal();
  const [taken] =
    name === undefined && identifier === undefined
      ? []
      : await scope.db
          .selectFrom('annotations as own')
          .innerJoin('annotations as other', (join) =>
            join
              .onRef('other.target', '=', 'own.target')
              .onRef('other.target_row_id', '=', 'own.target_row_id')
              .onRef('other.document_position', '=', 'own.document_position')
              .onRef('other.id', '<>', 'own.id'),
          )
          .select('other.id')
          .where('own.id', '=', rowId)
          .where((row) => row('other.name', '=', name ?? row.ref('own.name')))
          .where((row) => row('other.identifier', '=', identifier ?? row.ref('own.identifier')))
          .execute();
  if (taken !== undefined) {
    throw new AppError('already_exists', 'Another annotation of this target has that name and identifier.');
  }
  return scope.db
    .updateTable('annotations')
    .set({
      updated_at_us: scope.nowUs,
      is_carried: 0,
      ...(name !== undefined && { name }),
      ...(identifier !== undefined && { identifier }),
      ...(annotatorKind !== undefined && { annotator_kind: annotatorKind }),
      ...(label !== undefined && { label }),
      ...(score !== undefined && { score }),
      ...(explanation !== undefined && { explanation }),
      ...(metadata !== undefined && { metadata }),
      ...(source !== undefined && { source }),
    })
    .where('id', '=', rowId)
    .returning(ANNOTATION_COLUMNS)
    .executeTakeFirstOrThrow();
}

/** The annotations of the row ids, in their order, which nobody else changes before the transaction ends. @throws AppError */
async function lockAnnotations(
  scope: RecordScope,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<readonly Annotation[]> {
  const { db, dialect } = scope;
  if (rowIds.length === 0) throw new AppError('invalid_argument', 'Name at least one annotation.');
  if (rowIds.length > MAX_NAMED) throw new AppError('invalid_argument', `Name at most ${MAX_NAMED} annotations.`);
  if (new Set(rowIds).size < rowIds.length) {
    throw new AppError('invalid_argument', 'An annotation is named more than once.');
  }
  const wanted = dialect.numbersOf(rowIds);
  const read = () =>
    db
      .selectFrom('annotations')
      .select(ANNOTATION_COLUMNS)
      .where('id', 'in', wanted)
      .where(dialect.unindexed<string>('target'), '=', target)
      .execute();
  // Targets before their records, as erasing goes.
  const targets = await lockTargets(
    scope,
    target,
    (await read()).map(({ targetRowId }) => targetRowId),
  );
  await dialect.lockRows(db, { table: 'annotations', rowIds: wanted, isShared: false });
  const rows = new Map((await read()).map((row) => [row.rowId, row]));
  const found = rowIds.flatMap((rowId) => rows.get(rowId) ?? []).filter(({ targetRowId }) => targets.has(targetRowId));
  if (found.length < rowIds.length) throw new AppError('not_found', 'Some of these annotations do not exist.');
  return found;
}

const MAX_NAMED = 1000;

function assertFound(
  target: AnnotationTarget,
  annotations: readonly NewAnnotation[],
  targets: ReadonlyMap<NewAnnotation['of'], unknown>,
): void {
  const missing = annotations.flatMap(({ of }, index) =>
    targets.has(of)
      ? []
      : `${typeof of === 'number' ? formatGlobalId(TARGET_TYPES[target], of) : shorten(of)} (annotation ${index})`,
  );
  if (missing.length === 0) return;
  const more = missing.length > MAX_MISSING ? ` and ${missing.length - MAX_MISSING} more` : '';
  const kind = target === 'document' ? 'spans' : `${target}s`;
  throw new AppError('not_found', `These ${kind} do not exist: ${missing.slice(0, MAX_MISSING).join(', ')}${more}.`);
}

const TARGET_TYPES = { span: 'Span', document: 'Span', trace: 'Trace', session: 'ProjectSession' } as const;

/** In a message, of what a sender calls a target. */
function shorten(of: string): string {
  return of.length > MAX_SHOWN ? `${of.slice(0, MAX_SHOWN).toWellFormed()}…` : of;
}

const MAX_SHOWN = 64;

/** Missing targets that are named. */
const MAX_MISSING = 100;

function noteRefusal(): AppError {
  return new AppError(
    'invalid_argument',
    `The name ${NOTE_NAME} is reserved for notes: use the operations of notes, such as createSpanNotes and deleteSpanNotes.`,
  );
}
