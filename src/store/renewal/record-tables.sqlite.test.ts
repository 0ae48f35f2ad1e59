/** Pages of resources, scopes and projects that SQLite cannot read: storing continues, and what is lost is named until it is sent again. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { openTestWriter, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { readDecodedSpans } from '../spans/rows/stored-spans.ts';
import { damageLeaves } from '../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import { findDamagedTables, renewTables } from './renew-tables.ts';

const SENDERS = Array.from({ length: 40 }, (_, place) => place + 1);

let folder: string;
let path: string;
let noted: Damage[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-records-'));
  path = join(folder, 'whole.db');
  const filling = await open();
  await filling.writer.write(SENDERS.map((sender) => requestOf(sender)));
  for (const sender of SENDERS) {
    await filling.exec(
      `INSERT INTO annotations (target, target_row_id, project_id, name, annotator_kind, explanation, metadata, source, created_at_us, updated_at_us)
       VALUES ('span', ${sender}, ${sender}, 'quality', 'HUMAN', '${FILLING}', '{}', 'APP', 1, 1);
       INSERT INTO audit_events (occurred_at_us, outcome, operation, caller_kind, changes) VALUES (${sender}, 'done', 'users.create', 'user', '${FILLING}');
       INSERT INTO ingest_ledger (hour_us, project_id, api_key_id, signal, outcome, reason, item_count) VALUES (${sender}, ${sender}, 0, 'traces', 'rejected', '${FILLING}', 1)`,
    );
  }
  await filling.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  path = join(folder, 'cairn.db');
  cpSync(join(folder, 'whole.db'), path);
  noted = [];
  listenForDamage((damage) => noted.push(damage));
});

afterEach(() => listenForDamage(() => undefined));

const FILLING = 'sells '.repeat(100);

/** A span of a sender that has a resource, a scope and a project of its own. */
function requestOf(sender: number, span = sender) {
  const resource = { 'service.name': `shop ${sender}`, 'openinference.project.name': `project ${sender} ${FILLING}` };
  const spans = [{ traceId: traceId(span), spanId: spanId(span), name: `span ${span}` }];
  return spansOf(spans, { resource, scope: `scope ${sender} ${FILLING}` });
}

async function open() {
  return openTestWriter({
    engine: await openSqliteFileEngine(path),
    onError: () => undefined,
  });
}

/** Which spans can be read whole, by number, and of which sender they are. */
async function readWhole(store: TestWriter): Promise<ReadonlyMap<number, string>> {
  const rows = await store.rows(
    'SELECT id AS "rowId", otel_resource_id AS "otelResourceId", instrumentation_scope_id AS "instrumentationScopeId" FROM spans',
  );
  const scope = { ...store, envelopes: new EnvelopeCache() };
  const senders = new Map<number, string>();
  for await (const { original, resource, scope: of } of readDecodedSpans(scope, rows as never, {
    onDamaged: () => undefined,
  })) {
    const [name] = resource.attributes.filter(({ key }) => key === 'service.name');
    senders.set(Number(original.name.slice(5)), `${JSON.stringify(name?.value)} ${of.name.slice(0, 9).trim()}`);
  }
  return senders;
}

it.for(['otel_resources', 'instrumentation_scopes'] as const)(
  'of %s: other spans are stored at once, and lost ones are whole when theirs is sent again',
  async (table) => {
    const whole = await open();
    const before = await readWhole(whole);
    await whole.close();
    expect(before.size).toBe(SENDERS.length);
    damageLeaves(path, table, [0.5]);
    const store = await open();
    const readable = await readWhole(store);
    const lost = SENDERS.filter((sender) => !readable.has(sender));
    expect(lost.length).toBeGreaterThan(1);
    const [first = 0, ...others] = lost;
    await expect(store.writer.write([requestOf(first, 100)])).rejects.toThrow('the database is damaged');

    const damaged = findDamagedTables(store.findDamagedTables);
    expect(damaged).toEqual([table]);
    const kept = readable.size;
    expect(await renewTables(store, damaged)).toContain(`${kept} were read, and ${lost.length} were filled`);
    store.writer.forget();
    expect(findDamagedTables(store.findDamagedTables)).toEqual([]);
    expect((await readWhole(store)).size).toBe(kept);
    await store.writer.write([requestOf(41)]);
    await store.writer.write([requestOf(first, 100)]);
    const now = await readWhole(store);
    expect(now.get(first)).toBe(before.get(first));
    expect(now.get(100)).toBe(before.get(first));
    for (const number of others) expect(now.has(number)).toBe(false);
    await store.writer.write(others.map((sender) => requestOf(sender, 100 + sender)));
    const healed = await readWhole(store);
    for (const [number, sender] of before) expect(healed.get(number)).toBe(sender);
    expect(await store.rows('PRAGMA integrity_check')).not.toContainEqual(
      expect.objectContaining({ integrity_check: expect.stringMatching(/row|index/) }),
    );
    await store.close();
  },
);

it('of resources and of the index of their hashes: no lost resource is another later', async () => {
  damageLeaves(path, 'otel_resources', [0.999]);
  damageLeaves(path, 'sqlite_autoindex_otel_resources_1', [0]);
  const store = await open();
  const kept = await readWhole(store);
  await renewTables(store, findDamagedTables(store.findDamagedTables));
  store.writer.forget();
  await store.writer.write(SENDERS.map((sender) => requestOf(sender, 100 + sender)));
  const now = await readWhole(store);
  expect(now.size).toBe(kept.size + SENDERS.length);
  for (const [number, sender] of kept) expect(now.get(number)).toBe(sender);
  for (const [number, sender] of now) if (number > 100) expect(sender).toContain(`shop ${number - 100}`);
  await store.close();
});

it('of projects: each has its name and its spans, and what is lost of it is named', async () => {
  damageLeaves(path, 'projects', [0.5]);
  const store = await open();
  const all = 'SELECT id, name FROM projects ORDER BY id';
  await expect(store.rows(all)).rejects.toThrow();
  await renewTables(store, findDamagedTables(store.findDamagedTables));
  store.writer.forget();
  const rows = await store.rows(all);
  expect(rows.slice(-SENDERS.length).map(({ name }) => /^project \d+/.exec(String(name))?.[0])).toEqual(
    SENDERS.map((sender) => `project ${sender}`),
  );
  const lost = noted.filter(({ kind }) => kind === 'record');
  expect(lost.length).toBeGreaterThan(1);
  for (const { message } of lost) expect(message).toMatch(/^The project "project \d+ .*" has lost its description/);
  await store.writer.write(SENDERS.map((sender) => requestOf(sender, 100 + sender)));
  expect(await store.rows(all)).toEqual(rows);
  await store.close();
});

it('of annotations: the others stay, and lost ones are named', async () => {
  damageLeaves(path, 'annotations', [0.5]);
  const store = await open();
  const add = (sender: number) =>
    store.exec(
      `INSERT INTO annotations (target, target_row_id, project_id, name, annotator_kind, metadata, source, created_at_us, updated_at_us)
       VALUES ('span', ${sender}, 1, 'later', 'HUMAN', '{}', 'APP', 1, 1)`,
    );
  await renewTables(store, findDamagedTables(store.findDamagedTables));
  const rows = await store.rows('SELECT target_row_id AS sender FROM annotations ORDER BY 1');
  const kept = new Set(rows.map(({ sender }) => sender));
  const lost = SENDERS.filter((sender) => !kept.has(sender));
  expect(lost.length).toBeGreaterThan(1);
  expect(namesOfLost()).toEqual(
    lost.map((sender) => `The annotation "quality" of the span ${spanId(sender)} is lost.`),
  );
  for (const sender of SENDERS) await add(sender);
  expect(await store.rows("SELECT min(id) AS first FROM annotations WHERE name = 'later'")).toEqual([{ first: 41 }]);
  await store.close();
});

it.for(['audit_events', 'ingest_ledger'] as const)('of %s: the others stay, and the loss is said', async (table) => {
  damageLeaves(path, table, [0.999]);
  const store = await open();
  const all = `SELECT 1 FROM ${table} WHERE ${table === 'audit_events' ? 'changes' : 'reason'} LIKE 'sells%'`;
  await renewTables(store, findDamagedTables(store.findDamagedTables));
  expect(namesOfLost()).toEqual([`Rows of the table ${table} are lost.`]);
  const kept = (await store.rows(all)).length;
  expect(kept).toBeGreaterThan(SENDERS.length / 2);
  expect(kept).toBeLessThan(SENDERS.length);
  const events = await store.rows("SELECT object_id, changes FROM audit_events WHERE operation = 'storage.renewTable'");
  expect(events).toEqual([
    { object_id: table, changes: JSON.stringify([`rows read: ${kept}`, 'rows filled: 0', 'rows lost']) },
  ]);
  await store.writer.write([requestOf(41)]);
  await store.close();
});

it('of a row that breaks a constraint of its table: it is left out by name, and nothing else counts as lost', async () => {
  const store = await open();
  await store.exec("PRAGMA ignore_check_constraints = ON; UPDATE annotations SET source = 'APQ' WHERE id = 7");
  await store.exec('PRAGMA ignore_check_constraints = OFF');
  expect(await renewTables(store, findDamagedTables(store.findDamagedTables))).toContain(
    `Of its rows ${SENDERS.length} were read, and 0 were filled from an index. 1 of them break a constraint`,
  );
  expect(namesOfLost()).toEqual([
    'The row of the table annotations with ID 7 breaks a constraint of it and was left out.',
  ]);
  expect(await store.rows("SELECT changes FROM audit_events WHERE operation = 'storage.renewTable'")).toEqual([
    { changes: JSON.stringify([`rows read: ${SENDERS.length}`, 'rows filled: 0', 'rows left out: 1']) },
  ]);
  await store.close();
});

function namesOfLost(): readonly string[] {
  return noted.filter(({ kind }) => kind === 'record').map(({ message }) => message);
}
