/** Reads rows with their attributes piece by piece: a row may have 32 kB of them. */
import type { NarrowRow } from './narrow-rows.ts';

/** The rows of the places from one on and below another, which may be fewer; ascending by id. */
export type ReadPiece = (from: number, below: number) => Promise<readonly NarrowRow[]>;

/** Reads so many places, fewer at a time where their rows are long. */
export async function* readPieces(placeCount: number, readPiece: ReadPiece): AsyncGenerator<readonly NarrowRow[]> {
  let step = FIRST_PIECE;
  for (let from = 0; from < placeCount; ) {
    const below = Math.min(from + step, placeCount);
    const rows = await readPiece(from, below);
    const length = rows.reduce((sum, row) => sum + lengthOf(row), 0) / (below - from);
    yield rows;
    from = below;
    const fitting = Math.floor(MAX_PIECE_LENGTH / Math.max(length, 1));
    step = Math.max(Math.min(fitting, MOST_GROWTH * step), LEAST_PIECE);
  }
}

/** The characters of its attributes. */
function lengthOf({ attributes, omitted_attributes: omitted }: NarrowRow): number {
  return (attributes?.length ?? 0) + (omitted?.length ?? 0);
}

/** Rows of whose length nothing is known. */
const FIRST_PIECE = 64;

/** Rows may be longer than those before them: a few short ones say little of thousands behind them. */
const MOST_GROWTH = 4;
const LEAST_PIECE = 16;

/** Of a piece, if its rows are as long as those before it; little enough to be collected while it is young. */
const MAX_PIECE_LENGTH = 1024 * 1024;
