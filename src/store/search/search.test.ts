import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { spanId, type TestSpan, traceId } from '../../../test/harness/otlp-json.ts';
import { openSearchable, type Searchable, STEP } from './open-searchable.fixture.ts';
import { type IndexPlan, planIndex } from './plan-index.ts';
import { takeRoomHere } from '../threads/room.fixture.ts';
import { noteTokenizer, readSearchProgress } from '../texts/progress.ts';
import { storeIndex } from './store-index.ts';

let store: Searchable;

beforeEach(async () => {
  store = await openSearchable();
});

/** The n-th span of a trace. */
function span(number: number, attributes: TestSpan['attributes'] = {}, more: Partial<TestSpan> = {}): TestSpan {
  return { traceId: traceId(1), spanId: spanId(number), name: `span${number}`, attributes, ...more };
}

describe('a search', () => {
  it('finds spans that hold all words somewhere, and phrases in one text', async () => {
    await store.send([
      span(1, { 'input.value': 'Where is my refund?', 'output.value': 'It left on Monday.' }),
      span(2, { 'input.value': 'Refund the ORDER, please', 'output.value': 'my pleasure' }),
      span(3, { 'input.value': 'nothing of that' }),
    ]);
    await store.index();
    expect(await store.find('refund')).toEqual(['span2', 'span1']);
    expect(await store.find('refund my')).toEqual(['span2', 'span1']);
    expect(await store.find('"my refund"')).toEqual(['span1']);
    expect(await store.find('refund -order')).toEqual(['span1']);
    expect(await store.find('pleas*')).toEqual(['span2']);
    expect(await store.find('monday OR that')).toEqual(['span3', 'span1']);
    expect(await store.find('refund', { scope: 'output' })).toEqual([]);
    expect(await store.find('my', { scope: 'output' })).toEqual(['span2']);
  });

  it('ranks a span whose short text holds the word before a newer one whose long text does', async () => {
    await store.send([
      span(1, { 'input.value': 'Refund now' }),
      span(2, { 'input.value': `Refund ${'and a lot of other things '.repeat(30)}` }),
    ]);
    await store.index();
    expect(await store.find('refund', { order: 'best' })).toEqual(['span1', 'span2']);
    expect(await store.find('refund')).toEqual(['span2', 'span1']);
  });

  it('finds a text in every span that repeats it, and has it indexed once', async () => {
    const messages: { role: string; content: string }[] = [];
    for (let turn = 1; turn <= 50; turn++) {
      messages.push({ role: 'user', content: `question ${turn}: how do I get to the station number ${turn}?` });
      await store.send([span(turn, { 'input.value': JSON.stringify({ messages }) })]);
    }
    await store.index();
    expect(await store.find('"question 1"')).toHaveLength(50);
    expect(await store.find('"question 49"')).toEqual(['span50', 'span49']);
    expect((await store.indexedTexts()).length).toBeLessThan(50 * 3);
  });

  it('forgets a text when the last span that holds it is replaced or deleted', async () => {
    await store.send([span(1, { 'input.value': 'a common text that many spans repeat' })]);
    await store.send([span(2, { 'input.value': 'a common text that many spans repeat', 'output.value': 'unique' })]);
    await store.index();
    await store.send([span(1, { 'input.value': 'replaced' })]);
    expect(await store.index()).toBe(1);
    expect(await store.find('common')).toEqual(['span2']);
    expect(await store.find('replaced')).toEqual(['span1']);
    await store.exec("DELETE FROM spans WHERE name = 'span2'");
    expect(await store.find('common')).toEqual([]);
    await store.index();
    expect([await store.textsWith('common'), await store.textsWith('unique')]).toEqual([[], []]);
    await store.exec('DELETE FROM spans');
    await store.index();
    expect(await store.rows('SELECT * FROM search_spans')).toEqual([]);
    expect(await store.indexedTexts()).toEqual([]);
  });

  it('takes in large texts a few at a time, and cuts one that is too large', async () => {
    const words = (seed: number) => Array.from({ length: 15_000 }, (_, index) => `w${seed}x${index}`).join(' ');
    for (let number = 1; number <= 8; number++) await store.send([span(number, { 'input.value': words(number) })]);
    const characters: number[] = [];
    for (let plan = await planIndex(store.scope, STEP); plan !== undefined; plan = await planIndex(store.scope, STEP)) {
      const next = plan;
      characters.push(next.characterCount);
      expect(await store.writer.change((scope) => storeIndex(scope, next))).toBe(true);
    }
    expect(characters.length).toBeGreaterThan(2);
    expect(Math.max(...characters)).toBeLessThan(450_000);
    expect(await store.find('w3x14999 w3x0')).toEqual(['span3']);
    await store.send([span(1, { 'input.value': `first ${'middle words '.repeat(100_000)} last` })]);
    await store.index();
    expect(await store.find('first')).toEqual(['span1']);
    expect(await store.find('last')).toEqual([]);
  });

  it('passes by what cannot be read, and says how many spans that are', async () => {
    await store.send([span(1, { 'input.value': 'readable' })]);
    await store.send([span(2, { 'input.value': 'readable' })]);
    await store.exec(sql`UPDATE blocks SET data = ${Uint8Array.of(0)} WHERE id = 1`);
    await store.index();
    expect(await store.find('readable')).toEqual(['span2']);
    expect(await readSearchProgress(store.db)).toMatchObject({ failedCount: 1, nextRowId: 3 });
  });

  it('waits for memory to read a large span, and does not pass it by', async () => {
    const room = takeRoomHere(10_000_000);
    await store.send([span(1, { 'input.value': `large ${'middle words '.repeat(160_000)}` })]);
    const others = await room.take(10_000_000);
    await expect(planIndex(store.scope, STEP)).rejects.toMatchObject({ code: 'unavailable' });
    others[Symbol.dispose]();
    await store.index();
    expect(await store.find('large')).toEqual(['span1']);
    expect(await readSearchProgress(store.db)).toMatchObject({ failedCount: 0 });
    await vi.waitFor(() => expect(room.takenBytes).toBe(0));
  });

  it('does not store what was planned before something else was', async () => {
    await store.send([span(1, { 'input.value': 'one' })]);
    const plan = await planIndex(store.scope, STEP);
    await store.index();
    expect(await store.writer.change((scope) => storeIndex(scope, plan as IndexPlan))).toBe(false);
    expect(await store.find('one')).toEqual(['span1']);
  });

  it('does not store what was planned before changes were taken in', async () => {
    const send = (text: string) => store.send([span(1, { 'input.value': text })]);
    await send('one');
    await store.send([span(2, { 'input.value': 'another, so that the segment stays' })]);
    await store.index();
    await send('two');
    const plan = await planIndex(store.scope, STEP);
    await store.index();
    await send('three');
    await store.index();
    expect(await store.writer.change((scope) => storeIndex(scope, plan as IndexPlan))).toBe(false);
    expect([await store.find('two'), await store.find('three')]).toEqual([[], ['span1']]);
  });

  it('gives no segment a number that another had', async () => {
    const numbers: unknown[] = [];
    for (const number of [1, 2]) {
      await store.send([span(number, { 'input.value': 'one' })]);
      await store.index();
      numbers.push(...(await store.rows('SELECT number FROM search_segments')));
      await store.exec('DELETE FROM spans');
      await store.index();
      expect(await store.rows('SELECT number FROM search_segments')).toEqual([]);
    }
    expect(numbers).toEqual([{ number: 1 }, { number: 3 }]);
  });

  it('indexes anew what another version took apart', async () => {
    await store.send([span(1, { 'input.value': 'one' }), span(2, { 'input.value': 'two' })]);
    await noteTokenizer(store.db);
    await store.index();
    const texts = [...(await store.textsWith('one')), ...(await store.textsWith('two'))];
    expect(texts).toHaveLength(2);
    await store.exec('DELETE FROM search_leaves');
    await store.exec('DELETE FROM search_segments');
    await store.exec('UPDATE search_progress SET tokenizer_version = 0');
    expect(await store.find('one OR two')).toEqual([]);
    await noteTokenizer(store.db);
    await store.index();
    expect(await store.find('one OR two')).toEqual(['span2', 'span1']);
    expect((await readSearchProgress(store.db)).rebuild).toBeNull();
  });
});
