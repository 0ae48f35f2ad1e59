/** How data frames are made of stored spans, which belongs to a folder above. */
import type { Subtree } from './browse-port.ts';
import type { FrameColumn, FramePage, FrameQuery, WholeFrame } from './frame.ts';
import type { StoredSpan } from './presenter.ts';

/** Makes rows of spans. */
export interface FrameWriter {
  /** How long the rows are so far, in UTF-16 code units. */
  readonly length: number;
  add(stored: StoredSpan, subtree: Subtree | undefined): void;
  finish(nextCursor: string | null): FramePage;
}

/** How frames are made, inside a reader's thread. */
export interface FrameMaker {
  /** @param columns those of the pages before; `null` for the first page */
  open(query: FrameQuery, columns: readonly FrameColumn[] | null): FrameWriter;
  /** The frame as an Arrow IPC stream that pandas reads with its index. */
  encodeArrow(frame: WholeFrame): Promise<Uint8Array<ArrayBuffer>>;
}
