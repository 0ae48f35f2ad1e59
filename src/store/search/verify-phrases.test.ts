/** What one span tells of a phrase decides of others only as far as they hold the same texts. */
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { openSearchable, type Searchable } from './open-searchable.fixture.ts';

let store: Searchable;

beforeEach(async () => {
  store = await openSearchable();
});

afterEach(() => store.close());

/** The n-th span of a trace. */
function span(number: number, attributes: NonNullable<TestSpan['attributes']>): TestSpan {
  return { traceId: traceId(1), spanId: spanId(number), name: `s${number}`, attributes };
}

const PARTS = { parts: 'userName, and getName after it', phrase: 'there is foo bar in it' };

it('a text in which the words stand apart does not hold what another text of the span does', async () => {
  await store.send([span(1, PARTS)]);
  await store.send([span(2, { ...PARTS, word: 'getusername is what it says' })]);
  await store.index();
  expect(await store.find('getUserName "foo bar"')).toEqual(['s2']);
});

it('a span that changed after it was indexed says nothing of those that hold what it held', async () => {
  const held = { 'input.value': 'there is alpha beta in it' };
  await store.send([span(1, held)]);
  await store.send([span(2, held)]);
  await store.index();
  await store.send([span(2, { 'input.value': 'and now there is nothing' })]);
  expect(await store.find('"alpha beta"')).toEqual(['s1']);
});

it('a damaged span is found where another tells of its text, and takes no hit from a page', async () => {
  const held = { 'input.value': 'there is alpha beta in it' };
  await store.send([span(1, held)]);
  await store.send([span(2, held)]);
  await store.send([span(3, { 'input.value': 'alpha and beta, or alpha beta' })]);
  await store.index();
  await store.exec(sql`UPDATE blocks SET data = ${Uint8Array.of(0)} WHERE id IN (2, 3)`);
  expect(await store.find('"alpha beta"')).toEqual(['s2', 's1']);
});
