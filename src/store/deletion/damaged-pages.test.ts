/** Erasing and retention beside pages that SQLite cannot read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { markApplied, seedDefaultPolicy } from '../retention/due-traces.ts';
import { Retainer } from '../retention/retainer.ts';
import { damageLeaves } from '../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import { openDeletionStore } from './deletion.fixture.ts';

const TRACES = 1200;

let folder: string;
let path: string;

/** Fills a data file with traces of two projects, by turns, and damages pages of a table. */
async function damage(name: string, shares: readonly number[]) {
  const store = await openDeletionStore(50, await openSqliteFileEngine(path));
  for (let first = 1; first <= TRACES; first += 300) {
    const spans = Array.from({ length: 300 }, (_, place) => ({
      traceId: traceId(first + place),
      spanId: spanId(first + place),
      startUs: (first + place) * 1000,
    }));
    await store.send(spans, first % 200 === 1 ? 'one' : 'two');
  }
  await store.remover.stop();
  await store.close();
  damageLeaves(path, name, shares);
  return openDeletionStore(50, await openSqliteFileEngine(path));
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-deletion-'));
  path = join(folder, 'cairn.db');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('erases what it can where pages of blocks are damaged, and finishes other deletions', async () => {
  const store = await damage('blocks', [0.6]);
  const [one, two] = [await store.projectRowId('one'), await store.projectRowId('two')];
  await store.remover.deleteTraces(one, { startTimeUs: null, before: { startTimeUs: 1e9, rowId: 0 } });
  await store.remover.deleteTraces(two, { traceRowIds: [await store.traceRowId(traceId(301))] });
  await store.remover.finished();
  expect(await store.rows('SELECT state FROM deletions ORDER BY id')).toEqual([
    { state: 'erasing' },
    { state: 'finished' },
  ]);
  // Deleting from the pages beside a damaged one needs it, too.
  const [left] = await store.rows('SELECT count(*) AS n FROM traces WHERE project_id < 0');
  expect(left?.['n']).toBeGreaterThan(0);
  expect(left?.['n']).toBeLessThan(TRACES / 4);
  await store.remover.stop();
  await store.close();
});

it('applies a policy to the other projects where pages of one are damaged', async () => {
  // Of the order of traces by start, the last page is that of the last project.
  const store = await damage('traces_by_start', [0.99]);
  const errors: string[] = [];
  const nowUs = 10 * 86_400_000_000;
  const retainer = new Retainer({
    read: store.db,
    seedDefault: (maxDays) => seedDefaultPolicy(store.db, maxDays, 1),
    noteApplied: (rowId, atUs) => markApplied(store.db, rowId, atUs),
    remove: (request) => store.remover.delete(request),
    onApplied: () => undefined,
    onError: (message) => errors.push(message),
    now: () => nowUs,
    defaultDays: 1,
    everyMs: 1000,
  });
  await store.db.updateTable('retention_policies').set({ max_count: 10, max_days: 1, looked_at_us: 1 }).execute();
  await retainer.look();
  await store.remover.finished();
  expect(errors).toEqual([
    `the retention policy Default could not be applied to project ${await store.projectRowId('two')}`,
  ]);
  expect(await store.rows('SELECT reason, trace_count FROM deletions')).toEqual([
    { reason: 'retention', trace_count: TRACES / 2 },
  ]);
  expect(await store.rows('SELECT looked_at_us FROM retention_policies')).toEqual([{ looked_at_us: nowUs }]);
  await store.remover.stop();
  await store.close();
});
