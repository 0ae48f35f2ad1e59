/** Damaged lists of words are refused, or read as other lists, in bounded time; nothing else depends on them. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestWriter, type TestWriter } from '../logs/write/open-writer.fixture.ts';
import { isDamage } from './damaged-words.ts';
import { findParts, findTexts, findTextsFrom, readLengths } from './find-texts.ts';
import { planErasure, planSegments } from './segment-changes.ts';
import { storeSegments } from './store-segments.ts';
import { textsOfPart } from './text-ids.ts';

let store: TestWriter;

beforeEach(async () => {
  store = await openTestWriter();
});

afterEach(() => store.close());

const PART = 2;
const OPEN = { part: PART, mayMerge: false, isClosed: false };
const WORD = { words: ['alpha'], isPrefix: false, parts: null };

async function add(offset: number, text: string): Promise<void> {
  const planned = await planSegments(store, { ...OPEN, added: [{ offset, text }], removed: new Set() });
  if (planned !== undefined) await store.writer.change((scope) => storeSegments(scope, planned));
}

/** Whether it was refused. */
async function isRefused(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return false;
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  }
}

it('a flipped bit of a list ends no thread', { timeout: 60_000 }, async () => {
  await add(3, 'alpha alpine beta getUser');
  await add(9, 'alpha omega');
  const [leaf] = await store.db.selectFrom('search_leaves').selectAll().execute();
  const [segment] = await store.db.selectFrom('search_segments').selectAll().execute();
  if (leaf === undefined || segment === undefined) return expect.unreachable();
  let refusedCount = 0;
  const readAll = async () => {
    const ids = [textsOfPart(PART).first + 3];
    const reads = [
      () => findTexts(store, WORD, PART),
      () => findTextsFrom(store, 'al', PART, 1000),
      () => findParts(store, WORD, { first: 0, last: PART }),
      () => readLengths(store, ids),
      () => planErasure(store),
    ];
    for (const read of reads) if (await isRefused(read)) refusedCount++;
  };
  const leaves = store.db.updateTable('search_leaves').where('number', '=', leaf.number);
  for (const [at, byte] of leaf.lists.entries()) {
    for (const bit of [0x01, 0x80]) {
      const lists = Uint8Array.from(leaf.lists);
      lists[at] = byte ^ bit;
      await leaves.set({ lists }).execute();
      await readAll();
      // What arrives is indexed all the same.
      const closed = { part: PART, mayMerge: true, isClosed: true, removed: new Set<number>() };
      expect((await planSegments(store, { ...closed, added: [{ offset: 12, text: 'new' }] }))?.added).toBeDefined();
    }
  }
  await leaves.set({ lists: leaf.lists }).execute();
  const segments = store.db.updateTable('search_segments').where('number', '=', segment.number);
  for (const [at, byte] of segment.texts.entries()) {
    const texts = Uint8Array.from(segment.texts);
    texts[at] = byte ^ 0x80;
    await segments.set({ texts }).execute();
    await readAll();
    const going = { ...OPEN, added: [{ offset: 12, text: 'new' }], removed: new Set([9]) };
    expect((await planSegments(store, going))?.added).toBeDefined();
  }
  expect(refusedCount).toBeGreaterThan(20);
});
