import { beforeEach, expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { openTestWriter, recordsOf, spansOf, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { recheckDamage } from './recheck-damage.ts';
import { VERIFY_START, type VerifyPosition, verifyStep } from './verify-step.ts';

let store: TestWriter;

beforeEach(async () => {
  store = await openTestWriter();
});

const scope = () => ({ ...store, envelopes: new EnvelopeCache() });
const recheck = (damage: Damage) => recheckDamage(scope(), damage);

/** What reading everything finds. */
async function findDamage(kind: Damage['kind']): Promise<Damage> {
  const noted: Damage[] = [];
  listenForDamage((damage) => noted.push(damage));
  for (let position: VerifyPosition | null = VERIFY_START; position !== null; )
    position = (await verifyStep(scope(), position)).next;
  listenForDamage(() => undefined);
  const [damage] = noted.filter((found) => found.kind === kind);
  if (damage === undefined) throw new Error(`nothing of the kind ${kind} is damaged`);
  return damage;
}

it('of a damaged block, only spans that were not sent again are left, and nothing of a deleted trace', async () => {
  const spans = [1, 2, 3].map((number) => ({ traceId: traceId(1), spanId: spanId(number), name: `part ${number}` }));
  await store.writer.write([spansOf(spans)]);
  await store.exec('UPDATE blocks SET data = substr(data, 1, 20)');
  const damage = await findDamage('span');
  expect(await recheck(damage)).toEqual(damage);
  await store.writer.write([spansOf(spans.slice(0, 2))]);
  expect((await recheck(damage))?.spans).toEqual([{ traceId: traceId(1), spanId: spanId(3) }]);
  await store.writer.write([spansOf(spans.slice(2))]);
  expect(await recheck(damage)).toBeNull();
  await store.exec('UPDATE blocks SET data = substr(data, 1, 20)');
  expect((await recheck(damage))?.spans).toHaveLength(3);
  await store.exec('DELETE FROM spans');
  expect(await recheck(damage)).toBeNull();
});

it('a log record is damaged until it is gone, and a resource until its bytes are what they were', async () => {
  await store.writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(1), name: 'one' }])]);
  await store.writer.write([recordsOf([{ traceId: traceId(1), spanId: spanId(1), body: 'a line', timeUs: 5 }])]);
  const [resource] = await store.rows('SELECT hash FROM otel_resources');
  await store.exec('UPDATE log_record_blocks SET data = substr(data, 1, 5)');
  const setHash = (hash: Uint8Array) => store.db.updateTable('otel_resources').set({ hash }).execute();
  await setHash(new Uint8Array(32));
  const [record, shared] = [await findDamage('log_record'), await findDamage('resource')];
  expect([await recheck(record), await recheck(shared)]).toEqual([record, shared]);
  await store.exec('DELETE FROM log_records');
  await setHash(resource?.['hash'] as Uint8Array);
  expect([await recheck(record), await recheck(shared)]).toEqual([null, null]);
});

it('what does not say where it is stays known where the engine cannot look', async () => {
  const damage: Damage = { kind: 'database', message: 'pages', spans: [] };
  expect(await recheckDamage({ ...scope(), checkTables: undefined }, damage)).toBe(damage);
});
