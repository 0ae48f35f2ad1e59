/** Lists over rows of spans that SQLite cannot read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage } from '../../engine/damage.ts';
import { openTestWriter, spansOf, type TestWriter } from '../../logs/write/open-writer.fixture.ts';
import { damageLeaves } from '../../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../../sqlite/open-test-engine.fixture.ts';
import { NO_FRAMES } from '../no-frames.fixture.ts';
import { relationalSpanStore } from './store.ts';

const SPANS = 300;
const ALL = Array.from({ length: SPANS }, (_, place) => spanId(place + 1)).toSorted();

let folder: string;
let writer: TestWriter;
let store: ReturnType<typeof relationalSpanStore>;
let noted: Damage[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-lists-'));
  const path = join(folder, 'cairn.db');
  const filling = await openTestWriter({ engine: await openSqliteFileEngine(path) });
  for (let number = 1; number <= SPANS; number++) {
    const span = {
      traceId: traceId(number % 3),
      spanId: spanId(number),
      name: `span ${number}`,
      startUs: number * 1000,
    };
    await filling.writer.write([spansOf([span])]);
  }
  await filling.close();
  damageLeaves(path, 'spans', [0.2, 0.7]);
  writer = await openTestWriter({ engine: await openSqliteFileEngine(path) });
  const presenters = { span: ({ row }: { row: { spanId: string } }) => `"${row.spanId}"`, otlp: () => '' };
  store = relationalSpanStore(writer.db, writer.dialect, presenters, NO_FRAMES);
});

afterAll(async () => {
  await writer.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  noted = [];
  listenForDamage((damage) => noted.push(damage));
});

it.each([
  ['id', 'desc'],
  ['id', 'asc'],
  ['start_time', 'desc'],
  ['start_time', 'asc'],
] as const)('pages of spans by %s %s hold the others, and name those that are lost', async (sort, order) => {
  const present: string[] = [];
  const lost: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { sort, order, limit: 40, cursor: cursor ?? null };
    const { body, damaged, nextCursor } = await store.presentSpans({ projectRowId: 1 }, page, 'span');
    present.push(...(JSON.parse(`[${Buffer.from(body).toString()}]`) as string[]));
    lost.push(...damaged.map((span) => span.spanId));
    cursor = nextCursor;
  }
  expect(lost.length).toBeGreaterThan(10);
  expect([...present, ...lost].toSorted()).toEqual(ALL);
  const byTime = order === 'asc' ? present.toSorted() : present.toSorted().reverse();
  expect(present).toEqual(byTime);
  expect(noted.map(({ kind }) => kind)).toContain('span');
});

it('tables, trees, filters and originals go on beside them', async () => {
  const lost = new Set<string>();
  const all = { projectRowId: 1, rootsOnly: false };
  const { rows } = await store.browseSpans(all, { sort: 'start_time', order: 'asc', limit: 500, after: null });
  for (const { spans } of noted) for (const span of spans) lost.add(span.spanId);
  const left = ALL.filter((id) => !lost.has(id));
  expect(rows.map((row) => row.spanId)).toEqual(left);
  const { condition } = parseFilter('span', "name != 'nothing'");
  const filtered = await store.browseSpans(
    { ...all, ...(condition !== null && { condition }) },
    { sort: 'start_time', order: 'asc', limit: 500, after: null },
  );
  expect(filtered.rows.map((row) => row.spanId)).toEqual(left);
  const ids: string[] = [];
  const found: string[] = [];
  for (const number of [0, 1, 2]) {
    const trace = await store.findTraceByOtelId(traceId(number));
    const { columns } = await store.readTraceSkeleton(trace?.rowId ?? 0, { limit: 1000, after: null });
    ids.push(...(JSON.parse(columns) as { spanIds: string[] }).spanIds);
    const original = await store.readTraceOriginal({ otelId: traceId(number) }, 'json');
    for (const id of left) if (Buffer.from(original?.body ?? []).includes(id)) found.push(id);
    expect(original?.damaged.length).toBeGreaterThan(0);
    const damaged = await store.findDamagedSpans(trace?.rowId ?? 0);
    expect(damaged.spans.map((span) => span.spanId).toSorted()).toEqual(
      original?.damaged.map((span) => span.spanId).toSorted(),
    );
    expect(damaged).toMatchObject({ searchedCount: 100, isWhole: true });
  }
  expect(ids.toSorted()).toEqual(left);
  expect(found.toSorted()).toEqual(left);
});
