/** What databases of earlier versions hold: written down row by row, so that nothing of today has a part in it. */
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { EARLIER_RECORDS } from './earlier-records.fixture.ts';
import { EARLIER_TELEMETRY } from './earlier-telemetry.fixture.ts';
import { MIGRATIONS } from './list.ts';
import type { VersionContent } from './version-content.fixture.ts';

interface FilledDatabase extends Pick<TestEngine, 'db' | 'dialect'> {
  readonly exec: (statement: string) => Promise<void>;
}

/** Fills a database that has the first so many migrations, as a server of that version leaves it. */
export async function fillAsOf(versions: number, { db, dialect, exec }: FilledDatabase) {
  const names = MIGRATIONS.slice(0, versions).map(({ name }) => name);
  for (const name of names) {
    const { rows = {}, statements = [], ofEngine } = CONTENT[name] ?? {};
    for (const [table, list] of Object.entries(rows)) {
      if (names.includes(REMOVED_BY[table] ?? '')) continue;
      // One by one: those that leave a column out have its default.
      for (const row of list)
        await db
          .insertInto(table as 'spans')
          .values(row as never)
          .execute();
    }
    for (const statement of [...statements, ...(ofEngine?.[dialect.name] ?? [])]) await exec(statement);
  }
}

/** Tables that are gone since, and the change that removed them. */
export const REMOVED_BY: Readonly<Record<string, string>> = {
  reindex_job: '0011-add-jobs',
  pricing_job: '0011-add-jobs',
  search_vocabularies: '0023-keep-words-in-segments',
};

const CONTENT: Readonly<Record<string, VersionContent>> = { ...EARLIER_TELEMETRY, ...EARLIER_RECORDS };
