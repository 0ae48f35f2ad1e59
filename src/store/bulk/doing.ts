/** What differs between kinds of bulk actions: each kind is an object of this form, for `act.ts` to choose from. */
import type { AppError } from '#base/errors';
import type { Deletion } from '../deletion/deletion.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { DeriveScope } from '../spans/write/derive-again.ts';
import type { BulkBounds, BulkRows } from './bulk-action.ts';

/** A kind of actions, with what it takes. */
export interface BulkDoing {
  /** Whether traces are hidden, for which there is a deletion then. */
  readonly hidesTraces: boolean;
  /** What is done to rows in one transaction, by what they are. */
  readonly act: Readonly<Record<BulkRows, Act>>;
  /** Whether one transaction can do all of these rows, which are {@link ROWS_AT_ONCE} at most: nobody waits for more. */
  areFew(scope: DeriveScope, rows: BulkRows, rowIds: readonly number[]): Promise<boolean>;
  /** Why it cannot be done to these rows of a project, or no longer; `null` where it can. */
  findObstacle(scope: DeriveScope, projectRowId: number, rows: BulkRows): Promise<AppError | null>;
}

/** Does it to some of the rows, as many as the transaction may. */
export type Act = (scope: DeriveScope, acting: Acting, rowIds: readonly number[]) => Promise<ActedPart>;

/** Where it is done, and to what extent. */
export interface Acting {
  readonly projectRowId: number;
  readonly below: BulkBounds;
  /** How much may be changed: as many traces that are hidden, spans that are moved or taken out, or rows. */
  readonly most: number;
  /** Whether all of it is to be done now; the spans of moved traces may follow later. */
  readonly isAtOnce: boolean;
  /** When it was asked for. */
  readonly askedAtUs: number;
  /** What hides traces. */
  readonly deletion: Deletion | null;
}

/** What one transaction came to. */
export interface ActedPart {
  /** Rows that are done, of those that were given. */
  readonly done: readonly number[];
  /** Rows that were not there any more. */
  readonly gone: readonly number[];
  readonly touched: readonly TouchedProject[];
}

/** Rows that are done at once. */
export const ROWS_AT_ONCE = 1000;

/** Those of the rows that are not among the others. */
export function without(rowIds: readonly number[], others: readonly number[]): readonly number[] {
  const left = new Set(others);
  return rowIds.filter((rowId) => !left.has(rowId));
}
