import { expect, it } from 'vitest';
import { readAttributePaths } from './attribute-paths.ts';
import { MAX_BATCH_ROWS } from './batch.ts';
import { openColumnStore } from './columns.fixture.ts';

it('says which attributes the spans of a project have, and how many do', async () => {
  const store = await openColumnStore();
  const row = (id: number, project_id: number, attributes: object, omitted: string[] = []) => ({
    id,
    project_id,
    attributes: JSON.stringify(attributes),
    omitted_attributes: omitted.length === 0 ? null : JSON.stringify(omitted),
  });
  await store.insert([
    row(1, 1, { a: 1, b: 2 }),
    row(2, 1, { a: 'x' }, ['long', 'list.']),
    row(3, 2, { a: 1, other: true }),
  ]);
  await store.setNextRowId(MAX_BATCH_ROWS);
  await store.build();
  await store.insert([row(MAX_BATCH_ROWS, 1, { a: 1, late: 1 })]);
  await store.setNextRowId(MAX_BATCH_ROWS + 1);
  expect(await readAttributePaths(store.scope, 1)).toEqual([
    { path: 'a', spanCount: 3 },
    { path: 'b', spanCount: 1 },
    { path: 'late', spanCount: 1 },
    { path: 'long', spanCount: 1 },
  ]);
});
