import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_BATCH_ROWS } from './batch.ts';
import { type ColumnStore, openColumnStore } from './columns.fixture.ts';
import { readBatches } from './read-batches.ts';

const SEGMENTS = [0, 1, 2, 3];
const CHANGED = 2;
const IS_CHANGED = `WHERE id = ${rowIdIn(CHANGED)}`;

let store: ColumnStore;

beforeEach(async () => {
  store = await openColumnStore();
  await store.insert(SEGMENTS.map((segment) => ({ id: rowIdIn(segment), name: `old ${segment}` })));
  await store.setNextRowId(SEGMENTS.length * MAX_BATCH_ROWS);
  await store.build();
});

function rowIdIn(segment: number): number {
  return segment * MAX_BATCH_ROWS + 1;
}

/** Names of the rows; `meanwhile` runs after the batch before that of the changed row. */
async function readNames(segmentsAtOnce: number, meanwhile: () => Promise<void>): Promise<(string | null)[]> {
  const reader = { db: store.scope.db, dialect: { ...store.scope.dialect, segmentsAtOnce } };
  const options = { columns: ['name'], attributes: [], order: 'arrival asc' } as const;
  const names: (string | null)[] = [];
  for await (const { batch } of readBatches(reader, { projectRowId: 1 }, options)) {
    const { codes, values } = batch.texts('name');
    for (const place of batch.rowIds.keys()) names.push(values[codes[place] as number] ?? null);
    if (names.length === CHANGED) await meanwhile();
  }
  return names;
}

describe.each([1, 4])('a segment that is built anew while batches are read, of %i at once', (segmentsAtOnce) => {
  it('is not read as it was before what had changed when reading began', async () => {
    await store.exec(`UPDATE spans SET name = 'new' ${IS_CHANGED}`);
    const names = await readNames(segmentsAtOnce, () => store.build([CHANGED]));
    expect(names).toEqual(['old 0', 'old 1', 'new', 'old 3']);
  });

  it('gives nothing that has gone to another project with it', async () => {
    const names = await readNames(segmentsAtOnce, async () => {
      await store.exec(`UPDATE spans SET name = 'theirs', project_id = 2 ${IS_CHANGED}`);
      await store.build([CHANGED]);
    });
    expect(names).not.toContain('theirs');
    expect(names).toEqual(expect.arrayContaining(['old 0', 'old 1', 'old 3']));
  });
});
