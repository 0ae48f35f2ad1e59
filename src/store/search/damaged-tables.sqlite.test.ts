/** Pages of the index's own tables that SQLite cannot read: indexing does not stop, and everything is found again. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorMessage } from '#base/errors';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { findDamage } from '../sqlite/check-integrity.ts';
import { damageLeaves } from '../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import { openSearchable, STEP } from './open-searchable.fixture.ts';
import { planIndex } from './plan-index.ts';
import { findDamagedSearchTables, renewSearchIndex, renewWhereDamaged } from './renew-index.ts';
import { storeIndex } from './store-index.ts';

const SPANS = 120;
const ADDED = 10;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-index-'));
  const filling = await openSearchable(await openSqliteFileEngine(join(folder, 'whole.db')));
  for (let first = 1; first <= SPANS; first += 40) {
    await filling.send(spansFrom(first, 40));
    await filling.index();
  }
  await filling.exec('INSERT INTO search_queue (span_row_id) VALUES (1)');
  await filling.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function spansFrom(first: number, count: number): readonly TestSpan[] {
  return Array.from({ length: count }, (_, place) => {
    const number = first + place;
    const filling = Array.from({ length: 30 }, (_word, at) => `word${number * 31 + at}`).join(' ');
    const attributes = { 'input.value': `Where is my refund ${number}? ${filling}` };
    return { traceId: traceId(1 + (number % 40)), spanId: spanId(number), name: `span${number}`, attributes };
  });
}

it.for([
  ['search_leaves', 0.999],
  ['search_segments', 0.999],
  ['search_spans', 0.999],
  ['search_spans_of_trace', 0],
  ['search_progress', 0],
  ['search_queue', 0],
] as const)('of %s', async ([name, share]) => {
  const path = join(folder, `${name}.db`);
  cpSync(join(folder, 'whole.db'), path);
  damageLeaves(path, name, [share]);
  const engine = await openSqliteFileEngine(path);
  const store = await openSearchable(engine);
  try {
    await store.send(spansFrom(SPANS + 1, ADDED));
    const failures: string[] = [];
    const step = renewWhereDamaged({
      findDamaged: async () => findDamagedSearchTables(engine.findDamagedTables),
      renew: (damaged) =>
        store.writer.change(async (under) => {
          if (engine.replaceTables !== undefined) await renewSearchIndex(under, engine.replaceTables, damaged);
        }),
      nowMs: () => 0,
    });
    const indexNext = async () => {
      const plan = await step(() => planIndex(store.scope, STEP));
      if (plan !== undefined) await step(() => store.writer.change((under) => storeIndex(under, plan)));
      return plan !== undefined;
    };
    for (let isMore = true; isMore; ) {
      isMore = await indexNext().catch((error: unknown) => failures.push(errorMessage(error)) === 1);
    }
    expect(failures).toEqual([expect.stringMatching(/^Tables of the search index were damaged \(search_/)]);
    expect(await store.find('refund', { limit: 200 })).toHaveLength(SPANS + ADDED);
    expect(await store.find('word3100')).toEqual(['span100']);
    expect(findDamagedSearchTables(engine.findDamagedTables)).toEqual([]);
    // Later changes are noted and indexed.
    await store.exec("UPDATE spans SET attributes = attributes || ' ' WHERE id = 7");
    expect(await store.rows('SELECT span_row_id FROM search_queue')).toEqual([{ span_row_id: 7 }]);
    await store.exec('DELETE FROM spans WHERE id = 7');
    expect(await store.index()).toBeGreaterThan(0);
    expect(await store.find('refund', { limit: 200 })).toHaveLength(SPANS + ADDED - 1);
  } finally {
    await store.close();
  }
  // The pages of the replaced tables do not count as damage.
  expect(findDamage(path)).toBeUndefined();
});
