/** A server whose search index, or another table that is made from others, is damaged finds the same, says what is damaged, and makes it whole by itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlite, type SqliteConnection } from '#store/sqlite/connection';
import { damageLeaves } from '../../src/store/sqlite/damaged-leaves.fixture.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { storeTraces } from './damage.ts';

const TRACES = 20;
const READ_AT_START = ['normalizer_versions', 'row_ids', 'search_progress', 'search_spans'];
const READ_LATER = ['span_sums', 'trace_sums', 'trace_latencies', 'compaction_queue'];
const SEARCHES = ['parcel', '"where is parcel 23757"', 'asks -nowhere', 'custom*', 'nowhere'];

it('damaged words hide no span from searches, and are made again, as are tables of the index', {
  timeout: 180_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-search-'));
  try {
    const first = await startServerProcess(folder);
    await storeTraces(first.url, TRACES, 3);
    await expect.poll(() => countPending(first.url), { timeout: 30_000 }).toBe(0);
    const before = await searchAll(first.url);
    expect(before.map((found) => found.length)).toEqual([60, 3, 60, 60, 0]);
    await first.end('SIGTERM');
    const damaged = onFile(folder, (file) => {
      file.exec("UPDATE search_leaves SET lists = zeroblob(100), first_word = first_word || 'a'");
      return readNumbers(file);
    });
    const second = await startServerProcess(folder);
    expect(await searchAll(second.url)).toEqual(before);
    expect(second.output()).toContain('of part 0 of the search index is damaged');
    const isWhole = () => onFile(folder, (file) => readNumbers(file).every((number) => !damaged.includes(number)));
    await expect.poll(isWhole, { timeout: 60_000 }).toBe(true);
    expect(await searchAll(second.url)).toEqual(before);
    // What was mended is known to be damaged no longer.
    await expect.poll(() => countDamagedWords(second.url), { timeout: 60_000 }).toBe(0);
    expect(second.output()).toContain('Stored data that was damaged is whole again, or deleted.');
    await second.end('SIGTERM');
    onFile(folder, loseAnEntry);
    // Pages that SQLite cannot read keep a server neither from starting nor, for long, from storing: their tables are replaced.
    for (const table of [...READ_AT_START, ...READ_LATER]) damageLeaves(join(folder, 'cairn.db'), table, [0]);
    const third = await startServerProcess(folder);
    const isStored = () =>
      storeTraces(third.url, TRACES + 1, 3).then(
        () => true,
        () => false,
      );
    await expect.poll(isStored, { timeout: 60_000 }).toBe(true);
    await expect.poll(() => countPending(third.url).catch(() => -1), { timeout: 60_000 }).toBe(0);
    expect((await searchAll(third.url)).map((found) => found.length)).toEqual([63, 3, 63, 63, 0]);
    for (const tables of [READ_AT_START, READ_LATER])
      expect(third.output()).toContain(`Tables that are made from others were damaged (${tables.join(', ')})`);
    const spans = await fetch(`${third.url}/v1/projects/default/spans?limit=100`);
    expect(((await spans.json()) as Found).data).toHaveLength(63);
    // An index that misses a row is found while damaged pages are looked for, and made again from the rows.
    await expect
      .poll(() => third.output(), { timeout: 60_000 })
      .toContain('The index spans_by_start does not lead to all rows');
    const isIndexed = () => onFile(folder, (file) => file.prepare(BY_START).all([])[0]);
    await expect.poll(isIndexed, { timeout: 60_000 }).toEqual({ n: 63 });
    await third.end('SIGTERM');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function onFile<Result>(folder: string, work: (file: SqliteConnection) => Result): Result {
  const file = openSqlite(join(folder, 'cairn.db'), { readOnly: false });
  try {
    return work(file);
  } finally {
    file.close();
  }
}

const BY_START = 'SELECT count(*) AS n FROM spans INDEXED BY spans_by_start WHERE project_id = 1 AND start_us > 0';

/** Leaves the first span out of an index. */
function loseAnEntry(file: SqliteConnection): void {
  const setCondition = (condition: string) =>
    file.changeSchema(() => {
      const columns = '(project_id, start_us)';
      const sql = `CREATE INDEX spans_by_start ON spans ${columns}${condition}`;
      file.prepare("UPDATE sqlite_schema SET sql = ? WHERE name = 'spans_by_start'").run([sql]);
    });
  setCondition(' WHERE id <> 1');
  file.exec('REINDEX spans_by_start');
  setCondition('');
}

function readNumbers(file: SqliteConnection): readonly number[] {
  return (file.prepare('SELECT number FROM search_segments').all([]) as { number: number }[]).map((row) => row.number);
}

interface Found {
  readonly data: readonly { readonly context: { readonly span_id: string } }[];
  readonly pending_span_count: number;
}

async function search(url: string, text: string): Promise<Found> {
  const query = new URLSearchParams({ text, limit: '100', order: 'newest' });
  const response = await fetch(`${url}/v1/projects/default/search?${query.toString()}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Found;
}

async function countDamagedWords(url: string): Promise<number> {
  const response = await fetch(`${url}/readyz?verbose`);
  return ((await response.json()) as { damaged: { search_words: number } }).damaged.search_words;
}

async function countPending(url: string): Promise<number> {
  return (await search(url, 'parcel')).pending_span_count;
}

async function searchAll(url: string): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (const text of SEARCHES) found.push((await search(url, text)).data.map(({ context }) => context.span_id));
  return found;
}
