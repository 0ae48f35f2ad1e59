/** Many annotations that wait. */
import { sql } from 'kysely';
import type { TestWriter } from '../../logs/write/open-writer.fixture.ts';

/** Lets as many wait for nothing, of one author. */
export async function fillWaiting(
  { exec }: Pick<TestWriter, 'exec'>,
  {
    userRowId,
    isCarried,
    count,
  }: { readonly userRowId: number | null; readonly isCarried: 0 | 1; readonly count: number },
): Promise<void> {
  const by = `${userRowId} ${isCarried} `;
  const [nowUs, user] = [Date.now() * 1000, userRowId === null ? sql`NULL` : sql.lit(userRowId)];
  await exec(sql`INSERT INTO waiting_annotations (target, target_key, name, content, user_id, is_carried, at_us, received_at_us, digest)
    WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${sql.lit(count)})
    SELECT 'span', 'never', 'quality', '{}', ${user}, ${sql.lit(isCarried)}, ${sql.lit(nowUs)}, ${sql.lit(nowUs)},
      ${sql.lit(by)} || number FROM numbers`);
}
