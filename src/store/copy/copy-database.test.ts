import { expect, it } from 'vitest';
import { describePostgres } from '../../../test/harness/postgres/databases.ts';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { openPostgresTestEngine } from '../engine/open-postgres-test-engine.fixture.ts';
import type { TableShape } from '../dialect/table-shape.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import { recordsOf, spansOf } from '../logs/write/open-writer.fixture.ts';
import { RelationalSpanWriter } from '../writer/writer.ts';
import { openSqliteTestEngine } from '../sqlite/open-test-engine.fixture.ts';
import { copyDatabase, describeNewDatabase, isCopyUnfinished } from './copy-database.ts';
import { listCopiedTables, SUM_TABLES } from './tables.ts';

const NO_WATCHER = { onProgress: () => undefined, signal: new AbortController().signal };

describePostgres('a copy of a database', () => {
  it('holds everything, from a file to PostgreSQL and back, and goes on from there', async () => {
    const engines = [await openSqliteTestEngine(), await openPostgresTestEngine(), await openSqliteTestEngine()];
    const [file, server, back] = engines as [TestEngine, TestEngine, TestEngine];
    try {
      const made = await describeNewDatabase(file);
      await fill(file);
      const { rowCounts } = await copyDatabase(file, server, made, NO_WATCHER);
      expect(rowCounts).toMatchObject({ spans: 300, traces: 30, sessions: 2, log_records: 1, projects: 2 });
      await copyDatabase(server, back, made, NO_WATCHER);
      const copied = (await listCopiedTables(file)).map(({ name }) => name);
      for (const table of [...copied, ...SUM_TABLES]) {
        const query = `SELECT * FROM ${table} ORDER BY 1, 2`;
        expect([table, await back.rows(query)]).toEqual([table, await file.rows(query)]);
      }
      const [learnt] = await server.rows("SELECT reltuples::int AS rows FROM pg_class WHERE oid = 'spans'::regclass");
      expect(learnt).toEqual({ rows: 300 });
      // Two came with the copy.
      const [project] = await server.rows(
        `INSERT INTO projects (name, name_folded, created_at_us, updated_at_us) VALUES ('x', 'x', 0, 0) RETURNING id`,
      );
      expect(project).toEqual({ id: 3 });
      await store(server, 301);
      expect(await server.rows(`SELECT id FROM spans WHERE span_id = '${spanId(301)}'`)).toEqual([{ id: 301 }]);
    } finally {
      for (const engine of engines) await engine.close();
    }
  });

  it('goes on where it was interrupted, and says until then that it is not whole', async () => {
    const [source, target] = [await openSqliteTestEngine(), await openPostgresTestEngine()];
    try {
      const made = await describeNewDatabase(source);
      await fill(source);
      const stopping = new AbortController();
      const begun: string[] = [];
      const onProgress = (table: string) => {
        if (begun.push(table) === 9) stopping.abort(new Error('stopped'));
      };
      await expect(copyDatabase(source, target, made, { onProgress, signal: stopping.signal })).rejects.toThrow(
        'stopped',
      );
      expect(await isCopyUnfinished(target)).toBe(true);
      const copied = new Map<string, number>();
      const count = (table: string, rows: number) => copied.set(table, (copied.get(table) ?? 0) + rows);
      const { rowCounts } = await copyDatabase(source, target, made, { ...NO_WATCHER, onProgress: count });
      expect(rowCounts['spans']).toBe(300);
      expect(copied.has(begun[0] ?? '')).toBe(false);
      expect(await isCopyUnfinished(target)).toBe(false);
      await expect(copyDatabase(source, target, made, NO_WATCHER)).rejects.toThrow('The target already contains data');
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  });
});

describePostgres('a copy into a database that is not empty', () => {
  it('is refused where people have made something, and touches no table of others', async () => {
    const [source, target] = [await openSqliteTestEngine(), await openPostgresTestEngine()];
    try {
      const made = await describeNewDatabase(source);
      await target.exec('CREATE TABLE invoices (id int PRIMARY KEY); INSERT INTO invoices VALUES (1), (2)');
      await target.exec("INSERT INTO retention_policies (name, cron, looked_at_us) VALUES ('mine', '0 3 * * *', 0)");
      await expect(copyDatabase(source, target, made, NO_WATCHER)).rejects.toThrow('already contains data');
      expect(await target.rows("SELECT name FROM retention_policies WHERE name = 'mine'")).toHaveLength(1);
      await target.exec("DELETE FROM retention_policies WHERE name = 'mine'");
      await copyDatabase(source, target, made, NO_WATCHER);
      expect(await target.rows('SELECT id FROM invoices')).toHaveLength(2);
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  });

  it('does not go on with what another version began', async () => {
    const [source, target] = [await openSqliteTestEngine(), await openPostgresTestEngine()];
    try {
      const made = await describeNewDatabase(source);
      await target.exec('CREATE TABLE copy_progress (table_name TEXT PRIMARY KEY, last_key TEXT NOT NULL)');
      await expect(copyDatabase(source, target, made, NO_WATCHER)).rejects.toThrow('Another version of Cairn');
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
  });
});

describePostgres('what is copied', () => {
  it('is the same on both engines: every table but those that each database has for itself', async () => {
    const [file, server] = [await openSqliteTestEngine(), await openPostgresTestEngine()];
    try {
      const ofFile = await listCopiedTables(file);
      const names = new Set(ofFile.map(({ name }) => name));
      const ofServer = (await server.dialect.listTables(server.db)).filter(({ name }) => names.has(name));
      const shapeOf = ({ name, key, computed }: TableShape) => ({ name, key, computed: [...computed].sort() });
      const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1);
      expect(ofServer.map(shapeOf).sort(byName)).toEqual(ofFile.map(shapeOf).sort(byName));
      const all = (await file.dialect.listTables(file.db)).map(({ name }) => name);
      const left = all.filter((name) => ofFile.every((copied) => copied.name !== name));
      expect(left.filter((name) => !name.startsWith('search_'))).toEqual(['schema_migrations', ...SUM_TABLES]);
      for (const { name, key } of ofFile) expect([name, key.length]).not.toEqual([name, 0]);
    } finally {
      await Promise.all([file.close(), server.close()]);
    }
  });
});

async function fill(engine: TestEngine): Promise<void> {
  const writer = writerOf(engine);
  const spans = Array.from({ length: 300 }, (_, place) => ({
    traceId: traceId(1 + Math.floor(place / 10)),
    spanId: spanId(place + 1),
    attributes: {
      'session.id': `session ${place % 3 === 0 ? 1 : place % 3}`,
      'input.value': 'Zürich 😀'.repeat(place),
    },
  }));
  for (let start = 0; start < spans.length; start += 50) await writer.write([spansOf(spans.slice(start, start + 50))]);
  await writer.write([spansOf([{ traceId: traceId(30), spanId: spanId(300), name: 'replaced' }])]);
  await writer.write([recordsOf([{ traceId: traceId(1), spanId: spanId(1), body: 'a record' }])]);
  await engine.exec(`INSERT INTO projects (name, name_folded, created_at_us, updated_at_us) VALUES ('y', 'y', 0, 0)`);
  await engine.exec('INSERT INTO project_retention (project_id, policy_id) VALUES (2, 0)');
}

async function store(engine: TestEngine, number: number): Promise<void> {
  await writerOf(engine).write([spansOf([{ traceId: traceId(number), spanId: spanId(number) }])]);
}

function writerOf(engine: TestEngine): RelationalSpanWriter {
  const onError = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  return new RelationalSpanWriter({ ...engine, onError });
}
