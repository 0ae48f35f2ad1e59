import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { spanId, type TestSpan, TEST_START_US, traceId } from '../../../../test/harness/otlp-json.ts';
import { RandomStore } from '../../random-store.fixture.ts';
import { annotationHooks } from './hooks.ts';
import { fillWaiting } from './waiting.fixture.ts';

const said = (prefix: string, name: string, score: number) => ({
  [`${prefix}.0.annotation.name`]: name,
  [`${prefix}.0.annotation.score`]: score,
});

let store: RandomStore;

beforeEach(async () => {
  store = await RandomStore.open({ hooks: [annotationHooks] });
});

async function stored(): Promise<readonly string[]> {
  const rows =
    await store.rows(`SELECT target, annotations.name, score, coalesce(spans.span_id, traces.trace_id, sessions.session_id) AS key
    FROM annotations LEFT JOIN spans ON target = 'span' AND spans.id = target_row_id
    LEFT JOIN traces ON target = 'trace' AND traces.id = target_row_id
    LEFT JOIN sessions ON target = 'session' AND sessions.id = target_row_id ORDER BY annotations.id`);
  return rows.map(({ target, key, name, score }) => `${target} ${key} ${name} ${score}`);
}

const span = (number: number, more: Partial<TestSpan> = {}): TestSpan => ({
  traceId: traceId(number),
  spanId: spanId(number),
  ...more,
});

const linkTo = (number: number) => [{ traceId: traceId(number), spanId: spanId(number) }];

describe('annotations that spans carry', () => {
  it('are stored with the span, its trace and its session, once however often it is sent', async () => {
    const attributes = {
      'session.id': 'chat',
      ...said('annotations', 'a', 1),
      ...said('trace.annotations', 'b', 2),
      ...said('session.annotations', 'c', 3),
    };
    const expected = [`span ${spanId(1)} a 1`, `trace ${traceId(1)} b 2`, 'session chat c 3'];
    await store.send([span(1, { attributes })], 'app');
    expect(await stored()).toEqual(expected);
    await store.send([span(1, { attributes })], 'app');
    await store.send([span(1, { attributes, name: 'another' })], 'app');
    expect(await stored()).toEqual(expected);
  });

  it('are of the span that the carrier links to, whichever comes first', async () => {
    await store.send([span(2)], 'app');
    await store.send([span(1, { attributes: said('annotations', 'a', 1), links: linkTo(2) })], 'evaluator');
    expect(await stored()).toEqual([`span ${spanId(2)} a 1`]);
    await store.send([span(3, { attributes: said('trace.annotations', 'b', 1), links: linkTo(4) })], 'evaluator');
    expect(await stored()).toHaveLength(1);
    await store.send([span(4)], 'app');
    expect(await stored()).toEqual([`span ${spanId(2)} a 1`, `trace ${traceId(4)} b 1`]);
  });

  it('are of the session of the carrier’s project', async () => {
    const inSession = { attributes: { 'session.id': 'chat' } };
    await store.send([span(1, inSession)], 'app');
    await store.send([span(2, inSession)], 'other');
    const attributes = { 'session.id': 'chat', ...said('session.annotations', 'c', 3) };
    await store.send([span(3, { attributes })], 'app');
    expect(await store.rows('SELECT project_id FROM annotations')).toEqual([
      { project_id: await store.projectRowId('app') },
    ]);
  });

  it('come as events of evaluations, too', async () => {
    const attributes = { 'gen_ai.evaluation.name': 'true', 'gen_ai.evaluation.score.value': 0.5 };
    await store.send([span(1, { events: [{ name: 'gen_ai.evaluation.result', attributes }] })], 'app');
    expect(await stored()).toEqual([`span ${spanId(1)} true 0.5`]);
  });

  it('that are older than what was said since change nothing', async () => {
    const at = (score: number, endUs: number) =>
      store.send([span(score, { endUs, attributes: said('annotations', 'a', score), links: linkTo(9) })], 'app');
    await store.send([span(9)], 'app');
    await at(1, TEST_START_US + 3000);
    await at(2, TEST_START_US + 2000);
    expect(await stored()).toEqual([`span ${spanId(9)} a 1`]);
    await at(3, TEST_START_US + 4000);
    expect(await stored()).toEqual([`span ${spanId(9)} a 3`]);
  });

  it.each([
    ['that have an author', 'user_id = 1'],
    ['that somebody gave in the web UI', `source = 'APP'`],
  ])('replace none %s', async (_what, change) => {
    await store.memory.exec(sql`INSERT INTO users (id, username, email, role, auth_method, password_hash, password_salt,
      password_algorithm, created_at_us, updated_at_us) VALUES (1, 'ada', 'a@x.org', 'MEMBER', 'LOCAL', 'h', 's', 'a', 1, 1)`);
    const carry = (score: number) =>
      store.send(
        [span(score, { endUs: TEST_START_US + score, attributes: said('annotations', 'a', score), links: linkTo(9) })],
        'app',
      );
    await store.send([span(9)], 'app');
    await carry(1);
    await store.memory.exec(sql`UPDATE annotations SET ${sql.raw(change)}`);
    await carry(2);
    expect(await stored()).toEqual([`span ${spanId(9)} a 1`]);
  });

  it('are left out where too many wait, which the ledger counts and the log says once', async () => {
    const complaints: string[] = [];
    store = await RandomStore.open({ hooks: [annotationHooks], onError: (message) => complaints.push(message) });
    const carry = (number: number, name = 'a') =>
      store.send([span(number, { attributes: said('annotations', name, number), links: linkTo(99) })], 'app');
    await carry(1);
    await fillWaiting(store.memory, { userRowId: null, isCarried: 1, count: 19_999 });
    await carry(2, 'b');
    await carry(3, 'c');
    await carry(4);
    await store.send([span(99)], 'app');
    expect(await stored()).toEqual([`span ${spanId(99)} a 4`]);
    const ledger = "SELECT outcome, reason, item_count FROM ingest_ledger WHERE signal = 'annotations'";
    expect(await store.rows(ledger)).toEqual([{ outcome: 'dropped', reason: 'too_many_wait', item_count: 2 }]);
    expect(complaints).toEqual([expect.stringContaining('are left out')]);
  });

  it('stay deleted when their carrier is sent again or replaced, until it carries something else', async () => {
    const carry = (score: number, more: Partial<TestSpan> = {}) =>
      store.send([span(1, { attributes: { ...said('annotations', 'a', score), 'tag.tags': 'x' }, ...more })], 'app');
    await carry(1);
    await store.memory.exec(sql`DELETE FROM annotations`);
    await carry(1);
    await carry(1, { name: 'another', endUs: TEST_START_US + 9000 });
    expect(await stored()).toEqual([]);
    await carry(2);
    expect(await stored()).toEqual([`span ${spanId(1)} a 2`]);
    await carry(1);
    expect(await stored()).toEqual([`span ${spanId(1)} a 1`]);
  });

  it('stay deleted beside others that their carrier begins to carry', async () => {
    const event = (name: string) => ({
      name: 'gen_ai.evaluation.result',
      attributes: { 'gen_ai.evaluation.name': name, 'gen_ai.evaluation.score.value': 1 },
    });
    await store.send([span(1, { events: [event('a')] })], 'app');
    await store.memory.exec(sql`DELETE FROM annotations`);
    await store.send([span(1, { events: [event('a'), event('b')] })], 'app');
    expect(await stored()).toEqual([`span ${spanId(1)} b 1`]);
  });

  it('come again with a carrier that was deleted', async () => {
    const carrier = span(1, { attributes: said('annotations', 'a', 1) });
    await store.send([carrier, { ...span(2), traceId: traceId(1) }], 'app');
    await store.deleteSpan(await store.spanRowId(traceId(1), spanId(1)));
    expect(await store.rows('SELECT span_row_id FROM carried_annotations')).toEqual([]);
    await store.send([carrier], 'app');
    expect(await stored()).toEqual([`span ${spanId(1)} a 1`]);
  });

  it('that a strict config refused are stored once it allows them and their carrier is replaced', async () => {
    await store.memory.exec(sql`INSERT INTO annotation_configs (name, kind, optimization_direction, content, is_strict)
      VALUES ('a', 'CONTINUOUS', 'NONE', '{"lowerBound":0,"upperBound":1}', 1)`);
    const attributes = said('annotations', 'a', 5);
    await store.send([span(1, { attributes })], 'app');
    await store.memory.exec(sql`UPDATE annotation_configs SET is_strict = 0`);
    await store.send([span(1, { attributes, name: 'another' })], 'app');
    expect(await stored()).toEqual([`span ${spanId(1)} a 5`]);
  });

  it('that had no room to wait are stored when their carrier is replaced', async () => {
    await fillWaiting(store.memory, { userRowId: null, isCarried: 1, count: 20_000 });
    const carrier = span(1, { attributes: said('annotations', 'a', 1), links: linkTo(9) });
    await store.send([carrier], 'app');
    await store.send([span(9)], 'app');
    expect(await stored()).toEqual([]);
    await store.send([{ ...carrier, name: 'another' }], 'app');
    expect(await stored()).toEqual([`span ${spanId(9)} a 1`]);
  });

  it('are left out with an identifier of the web UI', async () => {
    const identified = (identifier: string) => ({
      ...said('annotations', identifier, 1),
      'annotations.0.annotation.identifier': identifier,
    });
    await store.send(
      [span(1, { attributes: identified('px-app') }), span(2, { attributes: identified('px-app:VXNlcjox') })],
      'app',
    );
    await store.send([span(3, { attributes: identified('px-apple') })], 'app');
    expect(await stored()).toEqual([`span ${spanId(3)} px-apple 1`]);
  });
});
