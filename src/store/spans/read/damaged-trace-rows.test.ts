/** Lists of traces and sessions over rows of their own that SQLite cannot read. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage } from '../../engine/damage.ts';
import { openTestWriter, spansOf } from '../../logs/write/open-writer.fixture.ts';
import { damageLeaves } from '../../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../../sqlite/open-test-engine.fixture.ts';
import { NO_FRAMES } from '../no-frames.fixture.ts';
import { relationalSpanStore } from './store.ts';

const TRACES = 400;
const ALL = Array.from({ length: TRACES }, (_, place) => place + 1);
const LIMIT = 70;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-traces-'));
  const { writer, close } = await openTestWriter({ engine: await openSqliteFileEngine(join(folder, 'whole.db')) });
  for (const number of ALL) {
    const span = { traceId: traceId(number), spanId: spanId(number), name: 'one', startUs: number * 1000 };
    const attributes = { 'session.id': `session ${number} ${'of somebody '.repeat(8)}` };
    await writer.write([spansOf([{ ...span, attributes }])]);
  }
  await close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function openDamaged(table: string) {
  const path = join(folder, `${table}.db`);
  cpSync(join(folder, 'whole.db'), path);
  damageLeaves(path, table, [0.4, 0.7]);
  const engine = await openSqliteFileEngine(path);
  const presenters = { span: () => '', otlp: () => '' };
  const noted: Damage[] = [];
  listenForDamage((damage) => noted.push(damage));
  const store = relationalSpanStore(engine.db, engine.dialect, presenters, NO_FRAMES);
  return { store, noted, [Symbol.asyncDispose]: () => engine.close() };
}

/** All pages of a list. */
async function readAll<Cursor>(
  read: (cursor: Cursor | null) => Promise<{ readonly ids: readonly number[]; readonly next: Cursor | null }>,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (let cursor: Cursor | null | undefined; cursor !== null; ) {
    const { ids, next } = await read(cursor ?? null);
    // Pages are full, whatever they leave out.
    if (next !== null) expect(ids).toHaveLength(LIMIT);
    found.push(...ids);
    cursor = next;
  }
  return found;
}

function expectMost(found: readonly number[]): void {
  expect(found.length).toBeLessThan(TRACES);
  expect(found.length).toBeGreaterThan(TRACES / 4);
  expect(found).toEqual(ALL.filter((rowId) => found.includes(rowId)));
}

it('lists of traces leave them out, and note them', async () => {
  await using damaged = await openDamaged('traces');
  const { store, noted } = damaged;
  const listed = await readAll<string>(async (cursor) => {
    const page = { sort: 'start_time', order: 'asc', limit: LIMIT, cursor } as const;
    const { data, nextCursor } = await store.listTraces({ projectRowId: 1 }, page, false);
    return { ids: data.map(({ rowId }) => rowId), next: nextCursor };
  });
  expectMost(listed);
  for (const sort of ['start_time', 'latency'] as const) {
    const browsed = await readAll<{ value: number | null; rowId: number }>(async (after) => {
      const { rows, next } = await store.browseTraces({ projectRowId: 1 }, { sort, order: 'asc', limit: LIMIT, after });
      return { ids: rows.map(({ rowId }) => rowId), next };
    });
    expect(browsed).toEqual(listed);
  }
  expect(noted.map(({ message }) => message).join(' ')).toMatch(
    /Rows of traces with IDs from \d+ to \d+ cannot be read/,
  );
});

it.each(['sessions', 'traces'])('lists of sessions go on beside damaged rows of %s', async (table) => {
  await using damaged = await openDamaged(table);
  const { store, noted } = damaged;
  let traceCount = 0;
  const listed = await readAll<string>(async (cursor) => {
    const page = { sort: 'id', order: 'asc', limit: LIMIT, cursor } as const;
    const { data, traces, nextCursor } = await store.listSessions({ projectRowId: 1 }, page);
    for (const ofSession of traces.values()) traceCount += ofSession.length;
    return { ids: data.map(({ rowId }) => rowId), next: nextCursor };
  });
  const browsed = await readAll<{ value: number | null; rowId: number }>(async (after) => {
    const page = { sort: 'id', order: 'asc', limit: LIMIT, after } as const;
    const { rows, next } = await store.browseSessions({ projectRowId: 1 }, page);
    return { ids: rows.map(({ rowId }) => rowId), next };
  });
  expect(browsed).toEqual(listed);
  if (table === 'sessions') expectMost(listed);
  else expect(listed).toEqual(ALL);
  expect(traceCount).toBeLessThan(TRACES);
  expect(traceCount).toBeGreaterThan(TRACES / 4);
  expect(noted.map(({ message }) => message).join(' ')).toMatch(new RegExp(`Rows of ${table} with IDs`));
});
