/** Damages the index of words, for tests. */
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import type { SearchLeavesTable, SearchSegmentsTable } from '../schema/search-tables.ts';

type Store = Pick<TestEngine, 'db'>;

/** All that is stored of words. */
export interface StoredWords {
  readonly segments: readonly SearchSegmentsTable[];
  readonly leaves: readonly SearchLeavesTable[];
}

/** Reads it, in an order. */
export async function readWords({ db }: Store): Promise<StoredWords> {
  const segments = db.selectFrom('search_segments').selectAll().orderBy('part').orderBy('number');
  const leaves = db.selectFrom('search_leaves').selectAll().orderBy('part').orderBy('number').orderBy('first_word');
  return { segments: await segments.execute(), leaves: await leaves.execute() };
}

/** Puts it in the place of whatever is there. */
export async function replaceWords({ db }: Store, { segments, leaves }: StoredWords): Promise<void> {
  await db.deleteFrom('search_leaves').execute();
  await db.deleteFrom('search_segments').execute();
  for (const row of segments) await db.insertInto('search_segments').values(row).execute();
  for (const row of leaves) await db.insertInto('search_leaves').values(row).execute();
}

/** The same with one bit flipped, or with a leaf lost. */
export function flipWords({ segments, leaves }: StoredWords, choose: (below: number) => number): StoredWords {
  const flip = <Row extends object>(rows: readonly Row[], columns: readonly (keyof Row)[]): readonly Row[] => {
    const chosen = choose(rows.length);
    const column = columns[choose(columns.length)] as keyof Row;
    return rows.map((row, at) => (at === chosen ? { ...row, [column]: flipValue(row[column], choose) } : row));
  };
  switch (choose(4)) {
    case 0:
      return { segments: flip(segments, SEGMENT_COLUMNS), leaves };
    case 1:
      return { segments, leaves: flip(leaves, ['first_word']) };
    case 2:
      return { segments, leaves: leaves.toSpliced(choose(leaves.length), 1) };
    default:
      return { segments, leaves: flip(leaves, ['lists']) };
  }
}

const SEGMENT_COLUMNS = [
  'text_count',
  'size',
  'vocabulary_size',
  'removed_count',
  'removed',
  'texts',
  'lengths',
  'vocabulary',
] as const;

function flipValue(value: unknown, choose: (below: number) => number): unknown {
  if (typeof value === 'number') return value ^ (1 << choose(16));
  if (typeof value === 'string') {
    const at = choose(value.length);
    return value.slice(0, at) + String.fromCharCode((value.charCodeAt(at) || 0x60) ^ 1) + value.slice(at + 1);
  }
  if (!(value instanceof Uint8Array)) return Uint8Array.of(choose(256));
  const at = choose(value.length);
  return value.with(at, (value[at] as number) ^ (1 << choose(8)));
}
