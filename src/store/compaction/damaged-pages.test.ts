/** Compaction beside pages that SQLite cannot read. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { errorMessage } from '#base/errors';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { openTestWriter, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { damageLeaves } from '../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import { compactionJob } from './compaction-job.ts';
import { planDictionary } from './dictionaries.ts';
import { planCompaction, planSettling } from './plan.ts';
import { findQuietTraces, readLastBlockId } from './queue.ts';

const TRACES = 40;

let folder: string;
let path: string;
let noted: Damage[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-pages-'));
  path = join(folder, 'cairn.db');
  const store = await openTestWriter({ engine: await openSqliteFileEngine(path) });
  for (const number of Array(2 * TRACES).keys()) {
    // Random bytes stay as large as they are when they are compressed.
    const name = randomBytes(600).toString('hex');
    await store.writer.write([
      spansOf([{ traceId: traceId((number % TRACES) + 1), spanId: spanId(number + 1), name }]),
    ]);
  }
  await store.close();
  noted = [];
  listenForDamage((damage) => noted.push(damage));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['blocks', [0.2, 0.7], [10, TRACES - 2]],
  // These are on a page or two.
  ['blocks_of_trace', [0], [0, TRACES - 1]],
  ['span_locations', [0], [0, TRACES - 1]],
  ['traces', [0], [0, TRACES]],
] as const)(
  'packs what it can where pages of %s are damaged, names the rest, and comes to an end',
  async (name, shares, [least, most]) => {
    damageLeaves(path, name, shares);
    const store = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    const { errors, packedTraces } = await compactAll(store);
    expect(await store.rows('SELECT * FROM compaction_queue')).toEqual([]);
    expect(packedTraces.size).toBeGreaterThanOrEqual(least);
    expect(packedTraces.size).toBeLessThanOrEqual(most);
    // Deleting an old block may need the page beside its own.
    const told = new Set([...noted.map(({ message }) => message), ...errors.map(errorMessage)]);
    for (let rowId = 1; rowId <= TRACES; rowId++) {
      if (!packedTraces.has(rowId)) expect([...told].join(' ')).toContain(`the trace with row ID ${rowId} `);
    }
    await store.close();
  },
);

/** Runs the job until nothing waits; says what it complained of, and which traces it packed. */
async function compactAll({ db, dialect, writer }: TestWriter) {
  const errors: unknown[] = [];
  const packedTraces = new Set<number>();
  const job = compactionJob({
    lastBlockId: () => readLastBlockId(db),
    findQuietTraces: (quiet) => findQuietTraces(db, dialect, quiet),
    plan: (trace) => planCompaction(db, dialect, trace),
    planSettling: (trace) => planSettling(db, trace),
    swap: (plans) => writer.compact(plans),
    planDictionary: (blockId) => planDictionary(db, dialect, blockId),
    addDictionary: async () => undefined,
    isBusy: () => false,
    onCompacted: ({ traceRowId }) => packedTraces.add(traceRowId),
    onError: (error) => errors.push(error),
    quietMs: 0,
    everyMs: 10,
  });
  await job.catchUp().catch((error: unknown) => errors.push(error));
  await job.stop();
  return { errors, packedTraces };
}
