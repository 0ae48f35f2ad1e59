import { expect, it } from 'vitest';
import { sqliteDialect } from '../dialect/sqlite.ts';
import * as createTelemetry from '../migrations/0001-create-telemetry.ts';
import { migrate } from '../migrate.ts';
import { openSqlite } from '../sqlite/connection.ts';
import { kyselyOnSqlite } from '../sqlite/kysely-on-sqlite.ts';
import { loadPricingJob } from './pricing-job.ts';

it('spans that were stored before there were prices keep what they report, and are priced by the first pass', async () => {
  const connection = openSqlite(':memory:', { readOnly: false });
  const db = kyselyOnSqlite(connection);
  for (const statement of createTelemetry.statements(sqliteDialect)) connection.exec(statement);
  const insert =
    connection.prepare(`INSERT INTO spans (id, project_id, trace_row_id, span_id, name, kind, status, start_us,
      counted_prompt_tokens, counted_completion_tokens, cost_usd, counted_cost_nanousd, otel_resource_id,
      instrumentation_scope_id, attributes, attributes_cut)
    VALUES (?, 1, 1, ?, 'chat', 0, 0, 1, 0, 0, ?, 0, 1, 1, ?, 0)`);
  insert.run([7, 'a', 0.25, '{"llm.token_count.prompt_details.audio":12}']);
  insert.run([8, 'b', -1, '{"llm.token_count.completion_details.audio":"12"}']);
  insert.run([9, 'c', null, '{}']);
  connection.exec(`CREATE TABLE schema_migrations (name TEXT PRIMARY KEY, applied_at_us INTEGER NOT NULL);
    INSERT INTO schema_migrations VALUES ('${createTelemetry.name}', 0)`);
  await migrate(db, sqliteDialect);
  expect(
    connection
      .prepare(
        'SELECT claimed_cost_nanousd AS cost, prompt_audio_tokens, completion_audio_tokens FROM spans ORDER BY id',
      )
      .all([]),
  ).toEqual([
    { cost: 250_000_000, prompt_audio_tokens: 12, completion_audio_tokens: null },
    { cost: null, prompt_audio_tokens: null, completion_audio_tokens: null },
    { cost: null, prompt_audio_tokens: null, completion_audio_tokens: null },
  ]);
  expect(await loadPricingJob(db)).toMatchObject({ firstRowId: 7, nextRowId: 7, endRowId: 10, finishedAtUs: null });
  connection.close();
});
