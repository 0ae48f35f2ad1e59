import type { QueryResult } from 'kysely';
import { expect, it } from 'vitest';
import { sqliteDialect } from '../dialect/sqlite.ts';
import { remoteKysely } from './remote-kysely.ts';

it('asks each statement at once, whatever is not answered yet', async () => {
  const answers: ((result: QueryResult<unknown>) => void)[] = [];
  const db = remoteKysely(sqliteDialect, () => new Promise((resolve) => answers.push(resolve)));
  const [slow, fast] = ['slow', 'fast'].map((name) =>
    db.selectFrom('projects').select('name').where('name', '=', name).executeTakeFirst(),
  );
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.({ rows: [{ name: 'fast' }] });
  expect(await fast).toEqual({ name: 'fast' });
  answers[0]?.({ rows: [{ name: 'slow' }] });
  expect(await slow).toEqual({ name: 'slow' });
});
