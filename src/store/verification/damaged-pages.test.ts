/** Passes over all spans beside rows that SQLite cannot read. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { openTestWriter, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { planIndex } from '../search/plan-index.ts';
import { storeIndex } from '../search/store-index.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { TraceTrees } from '../spans/rows/trace-trees.ts';
import { damageLeaves } from '../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import { VERIFY_START, type VerifyPosition, verifyStep } from './verify-step.ts';

const SPANS = 450;

let folder: string;
let store: TestWriter;
let noted: Damage[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-passes-'));
  const path = join(folder, 'cairn.db');
  const filling = await openTestWriter({ engine: await openSqliteFileEngine(path) });
  for (let first = 1; first <= SPANS; first += 50) {
    const spans = Array.from({ length: 50 }, (_, place) => ({
      traceId: traceId(first),
      spanId: spanId(first + place),
      name: `step ${first + place}`,
    }));
    await filling.writer.write([spansOf(spans)]);
  }
  await filling.close();
  damageLeaves(path, 'spans', [0.3, 0.8]);
  store = await openTestWriter({ engine: await openSqliteFileEngine(path) });
  noted = [];
  listenForDamage((damage) => noted.push(damage));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const scope = () => ({ ...store, envelopes: new EnvelopeCache(), trees: new TraceTrees() });

it('the verification names them, and comes to the end', async () => {
  let steps = 0;
  for (let position: VerifyPosition | null = VERIFY_START; position !== null; steps++) {
    position = (await verifyStep(scope(), position)).next;
    expect(steps).toBeLessThan(200);
  }
  expect(noted.map(({ message }) => message).join(' ')).toMatch(
    /Rows of spans with IDs from \d+ to \d+ cannot be read/,
  );
});

it('the search index takes in all others', async () => {
  const bounds = { arrivedCount: 128, changedCount: 32, milliseconds: 1000, characterCount: 1e6, mayMerge: false };
  let failedCount = 0;
  for (let steps = 0; ; steps++) {
    expect(steps).toBeLessThan(20);
    const plan = await planIndex(scope(), bounds);
    if (plan === undefined) break;
    failedCount += plan.failedCount;
    expect(await store.writer.change((under) => storeIndex(under, plan))).toBe(true);
  }
  expect(failedCount).toBeGreaterThan(20);
  const [row] = await store.rows('SELECT count(*) AS n FROM search_spans');
  expect(row?.['n']).toBe(SPANS - failedCount);
});
