import { beforeEach, describe, expect, it } from 'vitest';
import type { QueryScope } from '../queries/prepared-query.ts';
import { MAX_BATCH_ROWS } from './batch.ts';
import { ChunkReader } from './chunk-reader.ts';
import { type ColumnStore, openColumnStore } from './columns.fixture.ts';
import { readHeads, type SegmentHead } from './segments.ts';

const SEGMENTS = [0, 1, 2, 3, 4, 5, 6];
const NAMES = JSON.stringify(['name', 'start_us', 'nothing']);

let store: ColumnStore;
let heads: readonly SegmentHead[];
let statements: number;

beforeEach(async () => {
  store = await openColumnStore();
  await store.insert(SEGMENTS.map((segment) => ({ id: segment * MAX_BATCH_ROWS + 1, name: `name ${segment}` })));
  await store.setNextRowId(SEGMENTS.length * MAX_BATCH_ROWS);
  await store.build();
  heads = await readHeads(store.scope.db, 0, SEGMENTS.length);
  statements = 0;
});

function scopeOf(segmentsAtOnce = store.scope.dialect.segmentsAtOnce): QueryScope {
  const { scope } = store;
  const run: QueryScope['run'] = (text, parameters) => {
    statements += 1;
    return scope.run(text, parameters);
  };
  return { ...scope, dialect: { ...scope.dialect, segmentsAtOnce }, run };
}

async function readAll(reader: ChunkReader, isAlike: (head: SegmentHead) => boolean) {
  const all = [];
  for (const { segment } of heads) {
    const rows = await reader.read(segment, NAMES, isAlike);
    all.push([
      segment,
      rows.map(({ segment: of, name, data }) => `${of} ${name} ${Buffer.from(data).toString('hex')}`).sort(),
    ]);
  }
  return all;
}

describe('chunks of segments', () => {
  it('are the same whether they are read one by one or together, in ever fewer statements', async () => {
    const alone = await readAll(new ChunkReader(scopeOf(1), heads), () => true);
    expect(alone[3]).toEqual([3, [expect.stringMatching(/^3 name ./), expect.stringMatching(/^3 start_us ./)]]);
    expect(statements).toBe(7);
    statements = 0;
    expect(await readAll(new ChunkReader(scopeOf(4), heads), () => true)).toEqual(alone);
    // One segment, two and four.
    expect(statements).toBe(3);
    statements = 0;
    expect(await readAll(new ChunkReader(scopeOf(4), heads), ({ segment }) => segment === 2)).toEqual(alone);
    expect(statements).toBe(6);
  });

  it('are read one by one where a statement costs little, and together where it goes to another process', async () => {
    await readAll(new ChunkReader(scopeOf(), heads), () => true);
    expect(statements).toBe({ sqlite: 7, postgres: 3 }[store.scope.dialect.name]);
  });

  it('are those that are asked for, whatever else was read ahead', async () => {
    const reader = new ChunkReader(scopeOf(4), heads);
    for (const { segment } of heads) {
      for (const name of ['name', 'start_us']) {
        const rows = await reader.read(segment, JSON.stringify([name]), () => true);
        expect(rows.map((row) => [row.segment, row.name])).toEqual([[segment, name]]);
      }
    }
    expect(statements).toBe(6);
  });

  it('are read anew for whoever asks again', async () => {
    const reader = new ChunkReader(scopeOf(4), heads);
    await reader.read(0, NAMES, () => true);
    const before = await reader.read(1, NAMES, () => true);
    await store.exec(`UPDATE spans SET name = 'another' WHERE id = ${2 * MAX_BATCH_ROWS + 1}`);
    await store.build([2]);
    const builds = async () => (await reader.read(2, NAMES, () => true)).map(({ build }) => build);
    expect(before.map(({ build }) => build)).toEqual([1, 1]);
    expect(await builds()).toEqual([1, 1]);
    expect(await builds()).toEqual([2, 2]);
  });
});
