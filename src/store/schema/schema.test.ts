import { describe, expect, it, onTestFinished } from 'vitest';
import { describePostgres } from '../../../test/harness/postgres/databases.ts';
import { openPostgresTestEngine } from '../engine/open-postgres-test-engine.fixture.ts';
import { openSqliteTestEngine } from '../sqlite/open-test-engine.fixture.ts';
import { describeSchema } from './describe-schema.fixture.ts';

describe('the committed schema of SQLite', () => {
  it('is what the migrations make of an empty database', async () => {
    const engine = await openSqliteTestEngine();
    onTestFinished(() => engine.close());
    await expect(await describeSchema(engine)).toMatchFileSnapshot('./sqlite.sql');
  });
});

describePostgres('the committed schema of PostgreSQL', () => {
  it('is what the migrations make of an empty database', async () => {
    const engine = await openPostgresTestEngine();
    onTestFinished(() => engine.close());
    await expect(await describeSchema(engine)).toMatchFileSnapshot('./postgres.sql');
  });
});
