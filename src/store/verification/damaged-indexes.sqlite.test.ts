/** Entries of indexes with a flipped bit: the verification names the index, which is made again where rows are known to be whole. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage, type SummedStretch } from '../engine/damage.ts';
import { openTestWriter, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { sumStretchAgain } from '../projects/sum-again.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { openSqlite } from '../sqlite/connection.ts';
import { damageLeaves, flipValue } from '../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import { recheckDamage } from './recheck-damage.ts';
import { VERIFY_START, type VerifyPosition, verifyStep } from './verify-step.ts';

const TRACES = 400;

let folder: string;
let path: string;
let store: TestWriter;
let noted: Damage[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-indexes-'));
  const filling = await openTestWriter({ engine: await openSqliteFileEngine(join(folder, 'whole.db')) });
  const spans = Array.from({ length: TRACES }, (_, place) => ({
    traceId: traceId(1 + place),
    spanId: spanId(1 + place),
    name: `step ${place}`,
    attributes: { 'session.id': `session-${place}` },
    ...(place < 5 && { links: [{ traceId: traceId(77 + place), spanId: spanId(77) }] }),
  }));
  await filling.writer.write([spansOf(spans)]);
  await filling.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  listenForDamage(() => undefined);
  await store.close();
});

async function open(damageFile: () => void): Promise<void> {
  path = join(folder, 'damaged.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  cpSync(join(folder, 'whole.db'), path);
  damageFile();
  store = await openTestWriter({ engine: await openSqliteFileEngine(path) });
  noted = [];
  listenForDamage((damage) => noted.push(damage));
}

const scope = () => ({ ...store, envelopes: new EnvelopeCache() });

async function verify(): Promise<readonly Damage[]> {
  noted = [];
  for (let position: VerifyPosition | null = VERIFY_START; position !== null; )
    position = (await verifyStep(scope(), position)).next;
  return noted;
}

/** What is left, where each look continues where the one before ended. */
async function lookUntilSettled(damage: Damage): Promise<Damage | null> {
  for (let rest: Damage | null = damage; ; ) {
    rest = await recheckDamage(scope(), rest);
    if (rest?.recheckedTo === undefined) return rest;
  }
}

it('nothing is found in a sound file', async () => {
  await open(() => undefined);
  expect(await verify()).toEqual([]);
});

it.for([
  ['spans_by_otel_id', () => Buffer.from(spanId(200)), true],
  ['links_of_trace', () => Buffer.from(traceId(77)), true],
  ['sessions_by_text', () => Buffer.from('session-200'), false],
  ['sqlite_autoindex_traces_1', () => Buffer.from(traceId(200)), true],
] as const)(
  'a flipped entry of %s is named, and mended where rows can be believed',
  async ([name, value, isRebuildable]) => {
    await open(() => flipValue(path, name, value()));
    const [damage, ...others] = await verify();
    expect([damage?.index?.name, damage?.index?.isRebuildable, others]).toEqual([name, isRebuildable, []]);
    expect(await recheckDamage(scope(), damage as Damage)).toEqual(damage);
    store.rebuildIndexes?.(name);
    expect(await recheckDamage(scope(), damage as Damage)).toBeNull();
    expect(await verify()).toEqual([]);
  },
);

it('a unique index is not made again of two rows that it is to keep apart', async () => {
  await open(() => flipValue(path, 'sqlite_autoindex_traces_1', Buffer.from(traceId(200))));
  await store.writer.write([spansOf([{ traceId: traceId(200), spanId: spanId(200), name: 'again' }])]);
  const indexes = (await verify()).flatMap(({ index }) => index ?? []);
  expect(indexes).toContainEqual(expect.objectContaining({ name: 'sqlite_autoindex_traces_1', isRebuildable: false }));
});

it('an entry that leads to no row is found, and gone when its index is made again', async () => {
  await open(() => {
    const file = openSqlite(path, { readOnly: false });
    const setCondition = (condition: string) =>
      file.changeSchema(() => {
        const sql = `CREATE INDEX sessions_by_arrival ON sessions (project_id, id)${condition}`;
        file.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'sessions_by_arrival'").run([sql]);
      });
    setCondition(' WHERE id <> 200');
    file.exec('DELETE FROM sessions WHERE id = 200');
    setCondition('');
    file.close();
  });
  const [damage, ...others] = await verify();
  expect([damage?.index?.name, damage?.index?.isRebuildable, others]).toEqual(['sessions_by_arrival', true, []]);
  store.rebuildIndexes?.('sessions_by_arrival');
  expect(await verify()).toEqual([]);
});

it('sums that are not those of rows are named, and computed again', async () => {
  await open(() => undefined);
  const sums = 'SELECT * FROM span_sums';
  const before = await store.rows(sums);
  await store.exec('UPDATE span_sums SET span_count = span_count + 64');
  const [damage, ...others] = await verify();
  expect([damage?.kind, damage?.sums?.projectRowId, others]).toEqual(['sums', 1, []]);
  expect(await recheckDamage(scope(), damage as Damage)).toEqual(damage);
  await store.writer.change(({ db }) => sumStretchAgain(db, damage?.sums as SummedStretch));
  expect(await recheckDamage(scope(), damage as Damage)).toBeNull();
  expect(await store.rows(sums)).toEqual(before);
});

it('a flipped row is named, and its indexes are not made again from it', async () => {
  await open(() => flipValue(path, 'traces', Buffer.from(traceId(200))));
  const indexes = (await verify()).flatMap(({ index }) => index ?? []);
  expect(indexes).toEqual([
    { table: 'traces', name: 'sqlite_autoindex_traces_1', isRebuildable: false, isLarge: false },
  ]);
});

it('pages of which it is not known where they are stay damaged until they are replaced', async () => {
  await open(() => damageLeaves(path, 'search_progress', [0]));
  const damage: Damage = { kind: 'database', message: 'database disk image is malformed', spans: [] };
  expect(await lookUntilSettled(damage)).toEqual(damage);
  store.replaceTables?.(['search_progress']);
  expect(await lookUntilSettled(damage)).toBeNull();
});
