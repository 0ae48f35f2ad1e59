/** Actions that say or note something of rows, and leave the rows themselves as they are. */
import type { AppError } from '#base/errors';
import { type LockedTarget, lockSessions, lockSpans, lockTraces } from '../records/lock-targets.ts';
import type { RecordHandle } from '../records/hooks.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import type { BulkRows } from './bulk-action.ts';
import { type Act, type Acting, type BulkDoing, without } from './doing.ts';

/** What is done with rows that are locked, are of the project, and are one at least. */
type DoWithRows = (
  scope: DeriveScope,
  acting: Acting,
  rows: BulkRows,
  rowIds: readonly number[],
) => Promise<readonly TouchedProject[]>;

interface RowsDoing {
  /** Rows that one transaction does at most. */
  readonly most: number;
  readonly doWith: DoWithRows;
  readonly findObstacle: (scope: DeriveScope, projectRowId: number, rows: BulkRows) => Promise<AppError | null>;
}

/** Does the same with rows of all kinds. */
export function doingWithRows({ most, doWith, findObstacle }: RowsDoing): BulkDoing {
  const actOn =
    (rows: BulkRows): Act =>
    async (scope, acting, rowIds) => {
      const some = rowIds.slice(0, Math.min(most, acting.most));
      const locked = await LOCK[rows](scope, some);
      const there = some.filter((rowId) => locked.get(rowId)?.projectRowId === acting.projectRowId);
      const touched = there.length === 0 ? [] : await doWith(scope, acting, rows, there);
      return { done: there, gone: without(some, there), touched };
    };
  return {
    hidesTraces: false,
    act: { span: actOn('span'), trace: actOn('trace'), session: actOn('session') },
    areFew: async (_scope, _rows, rowIds) => rowIds.length <= most,
    findObstacle,
  };
}

type Lock = (scope: RecordHandle, rowIds: readonly number[]) => Promise<ReadonlyMap<number, LockedTarget>>;

const LOCK: Readonly<Record<BulkRows, Lock>> = { span: lockSpans, trace: lockTraces, session: lockSessions };

/** Whether an account is there, which stays until the transaction ends. Index: the primary key. */
export async function isAccountThere({ db, dialect }: RecordHandle, rowId: number): Promise<boolean> {
  await dialect.lockRows(db, { table: 'users', rowIds: dialect.numbersOf([rowId]), isShared: true });
  const row = await db.selectFrom('users').select('id').where('id', '=', rowId).executeTakeFirst();
  return row !== undefined;
}
