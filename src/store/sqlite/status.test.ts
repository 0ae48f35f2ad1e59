import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrateDatabase, readDatabaseStatus } from '../open/administer.ts';
import type { EngineConfig } from '../engine/engine-config.ts';
import { MIGRATIONS } from '../migrations/list.ts';
import { openSqlite } from './connection.ts';
import { acquireServerLock } from './server-lock.ts';

let folder: string;
let config: EngineConfig & { readonly engine: 'sqlite' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-status-'));
  config = { engine: 'sqlite', path: join(folder, 'new', 'cairn.db'), blockAboveBytes: null };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NAMES = MIGRATIONS.map(({ name }) => name);

it('says what is stored, what waits, and who has it open', async () => {
  await migrateDatabase(config);
  execute(`INSERT INTO projects (id, name, name_folded, created_at_us, updated_at_us) VALUES (77, 'a', 'a', 0, 0);
    UPDATE row_ids SET next_id = next_id + 5 WHERE table_name = 'spans'`);
  const lock = acquireServerLock(config.path, 4711);
  const status = await readDatabaseStatus(config);
  if ('release' in lock) lock.release();
  expect(status).toMatchObject({
    engine: 'sqlite',
    location: config.path,
    serverCount: 1,
    serverPids: [4711],
    schema: { pending: [], unknown: [] },
    contents: { counts: { spans: 0, traces: 0 }, backlog: { searchSpans: 5, columnSpans: 0, deletions: 0, passes: 0 } },
  });
  expect(status.schema.applied.map(({ name }) => name)).toEqual(NAMES);
  expect(status.contents?.counts.projects).toBeGreaterThan(0);
  expect(status.storage.dataBytes).toBeGreaterThan(100_000);
});

it('counts spans to write to columns once their segment is full', async () => {
  await migrateDatabase(config);
  const read = async () => (await readDatabaseStatus(config)).contents?.backlog.columnSpans;
  execute("UPDATE row_ids SET next_id = 4095 WHERE table_name = 'spans'");
  expect(await read()).toBe(0);
  execute("UPDATE row_ids SET next_id = 4096 + 7 WHERE table_name = 'spans'");
  expect(await read()).toBe(4095);
});

it('runs what is pending and names it, once, and not beside a server', async () => {
  expect(await migrateDatabase(config)).toEqual(NAMES);
  expect(await migrateDatabase(config)).toEqual([]);
  const lock = acquireServerLock(config.path, 4711);
  await expect(migrateDatabase(config)).rejects.toThrow(/Another Cairn \(process 4711\)/);
  if ('release' in lock) lock.release();
});

it('names the changes that are pending and those of a newer version', async () => {
  await migrateDatabase(config);
  const last = NAMES.at(-1);
  execute(
    `DELETE FROM schema_migrations WHERE name = '${last}'; INSERT INTO schema_migrations VALUES ('9999-later', 1)`,
  );
  const { schema, contents } = await readDatabaseStatus(config);
  expect(schema).toMatchObject({ pending: [last], unknown: ['9999-later'] });
  expect(contents).toBeNull();
});

it('refuses what is no data of ours', async () => {
  await expect(readDatabaseStatus(config)).rejects.toThrow(/There is no data/);
  const path = join(folder, 'diary.db');
  writeFileSync(path, 'dear diary,\n'.repeat(1000));
  await expect(readDatabaseStatus({ ...config, path })).rejects.toThrow(/cannot be read/);
});

function execute(statements: string): void {
  const connection = openSqlite(config.path, { readOnly: false });
  connection.exec(statements);
  connection.close();
}
