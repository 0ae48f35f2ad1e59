import { afterAll, beforeAll, expect, it } from 'vitest';
import { Budget } from '../query/budget.ts';
import { KnownStore } from './known-store.fixture.ts';
import { RootBatches } from './root-batches.ts';

let known: KnownStore;

beforeAll(async () => {
  known = await KnownStore.open(true);
});

afterAll(() => known.store.close());

/** What the batches say of each of the spans. */
async function readUsers(rowIds: readonly number[], few: number) {
  const wanted = new Set(rowIds);
  const spans = { projectRowId: known.store.projectRowId() };
  const batches = new RootBatches(known.store.scope, rowIds, spans, new Budget(60_000), few);
  const users = new Map<number, unknown>();
  let count = 0;
  for await (const batch of batches.batches({ columns: new Set(), attributes: new Set(['user.id']) })) {
    const { codes, values } = batch.attribute('user.id');
    count += batch.rowCount;
    for (const [row, rowId] of batch.rowIds.entries()) if (wanted.has(rowId)) users.set(rowId, values[codes[row] ?? 0]);
  }
  expect(batches.coverage).toEqual({ isPartial: false, share: 1 });
  return { users, count };
}

it('root spans say the same in their rows and among the columns of all spans', async () => {
  const roots = known.spans.filter(({ row }) => row.parentSpanId === null);
  const rowIds = roots.map(({ row }) => row.rowId).sort((a, b) => b - a);
  const [byRows, byColumns] = [await readUsers(rowIds, rowIds.length), await readUsers(rowIds, rowIds.length - 1)];
  expect([byRows.count, byColumns.count]).toEqual([rowIds.length, known.spans.length]);
  expect(byRows.users).toEqual(byColumns.users);
  const told = roots.map(
    ({ row, span }) => [row.rowId, (span.attributes['user'] as { id?: string } | undefined)?.id] as const,
  );
  expect(byRows.users).toEqual(new Map(told));
});
