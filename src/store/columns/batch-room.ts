/** Room for batches that questions hold, one at a time each. */
import { takeRoom } from '../threads/thread-room.ts';
import type { BatchOptions } from './batch.ts';
import { NUMBER_COLUMNS } from './batch.ts';

/** Of what a batch is made, and where it is read. */
export interface BatchMemory extends Pick<BatchOptions, 'columns' | 'attributes'> {
  /** Whether it is read for what another batch waits for, which holds room of its own. */
  readonly isInner?: boolean | undefined;
}

/** Room for a batch of so many rows, as long as it is held. @throws AppError `unavailable` where there was none for too long */
export function takeBatchRoom(rowCount: number, { columns, attributes, isInner }: BatchMemory): Promise<Disposable> {
  const ofColumns = columns.reduce((sum, column) => sum + (NUMBERS.has(column) ? NUMBER_BYTES : TEXT_BYTES), 0);
  const bytes = rowCount * (ROW_BYTES + ofColumns + attributes.length * ATTRIBUTE_BYTES);
  return takeRoom(bytes, isInner === true ? 'innerBatches' : 'batches');
}

const NUMBERS: ReadonlySet<string> = new Set(NUMBER_COLUMNS);

/** A row's id and verdict, and what holds them. */
const ROW_BYTES = 32;

/** As it is read, and in its column. */
const NUMBER_BYTES = 24;
const TEXT_BYTES = 64;

/** Texts have 256 characters at most; many rows share theirs. */
const ATTRIBUTE_BYTES = 192;
