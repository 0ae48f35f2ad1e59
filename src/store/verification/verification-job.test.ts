import { beforeEach, expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { openTestWriter, recordsOf, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import {
  advanceVerification,
  forgetDiffering,
  planVerification,
  readVerification,
  type VerificationPlan,
} from './plan-verification.ts';
import { verificationJob } from './verification-job.ts';

const SPANS = 450;
const WEEK_US = 7 * 86_400_000_000;

let store: TestWriter;
let noted: Damage[];
let nowUs: number;

beforeEach(async () => {
  store = await openTestWriter();
  noted = [];
  nowUs = 1_000_000;
  listenForDamage((damage) => noted.push(damage));
  for (let first = 1; first <= SPANS; first += 50) {
    const spans = Array.from({ length: 50 }, (_, place) => ({
      traceId: traceId(first),
      spanId: spanId(first + place),
      name: `span ${first + place}`,
    }));
    await store.writer.write([spansOf(spans)]);
  }
  await store.writer.write([recordsOf([{ traceId: traceId(1), spanId: spanId(1), body: 'a line', timeUs: 5 }])]);
});

const plan = () => planVerification({ ...store, envelopes: new EnvelopeCache() }, nowUs);
const advance = (step: VerificationPlan) => store.writer.change(({ db }) => advanceVerification(db, step));

it('reads everything step by step, is continued where it was, notes damage, and starts again after a week', async () => {
  await store.exec(
    `UPDATE blocks SET data = substr(data, 1, 30) WHERE id = (SELECT block_id FROM span_locations WHERE span_row_id = 420)`,
  );
  await store.exec(`UPDATE log_record_blocks SET data = substr(data, 1, 5)`);
  await store.exec(`UPDATE spans SET name = 'another' WHERE id = 7`);
  expect(await readVerification(store.db)).toMatchObject({ position: null, doneShare: 0, endedAtUs: null });
  const first = (await plan()) as VerificationPlan;
  expect(first.after).toMatchObject({ position: { table: 'spans', after: 200 }, startedAtUs: nowUs });
  // A step that nobody noted is made again, and one that is noted twice counts once.
  const again = (await plan()) as VerificationPlan;
  expect(again).toEqual(first);
  expect([await advance(again), await advance(again)]).toEqual([true, false]);
  const state = await readVerification(store.db);
  expect(state?.doneShare).toBeGreaterThan(0);
  expect(state?.doneShare).toBeLessThan(0.9);
  let planCount = 0;
  const job = verificationJob({
    plan: () => {
      planCount++;
      return plan();
    },
    nowUs: () => nowUs,
    advance,
    isBusy: () => false,
    pace: { firstMs: 0, passMs: 0, restRatio: 0 },
    onError: (error) => {
      throw error;
    },
  });
  await job.catchUp();
  expect(await readVerification(store.db)).toEqual({
    position: null,
    startedAtUs: 1_000_000,
    differingCount: 1,
    endedAtUs: 1_000_000,
    doneShare: 1,
  });
  const lost = noted.filter(({ kind }) => kind === 'span').flatMap(({ spans }) => spans.map((span) => span.spanId));
  expect(new Set(lost)).toEqual(new Set(Array.from({ length: 50 }, (_, place) => spanId(401 + place))));
  expect(noted.filter(({ kind }) => kind === 'log_record')).not.toEqual([]);
  // Until a pass is due, nobody is asked for one again.
  nowUs += WEEK_US - 1;
  for (let look = 0; look < 2; look++) await job.catchUp();
  const askedCount = planCount;
  for (let look = 0; look < 3; look++) await job.catchUp();
  expect(planCount).toBe(askedCount);
  await store.writer.change(({ db }) => forgetDiffering(db));
  expect(await readVerification(store.db)).toMatchObject({ differingCount: 0, endedAtUs: 1_000_000, doneShare: 1 });
  expect(await plan()).toEqual({ dueAtUs: 1_000_000 + WEEK_US });
  nowUs += 2;
  await job.catchUp();
  expect(planCount).toBeGreaterThan(askedCount);
  expect(await readVerification(store.db)).toMatchObject({ startedAtUs: nowUs, differingCount: 1, endedAtUs: nowUs });
  await job.stop();
});
