import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { collectGarbage } from '#base/collect-garbage';
import { takeRoomHere } from '../threads/room.fixture.ts';
import { buildSegment } from './build-segment.ts';
import { type ColumnStore, openColumnStore } from './columns.fixture.ts';
import { readBatches } from './read-batches.ts';

const ROWS = 2048;
const PATHS = Array.from({ length: 60 }, (_, place) => `wide.a${place}`);

let store: ColumnStore;

beforeAll(async () => {
  store = await openColumnStore();
  const texts = randomBytes(ROWS * 32 * PATHS.length).toString('hex');
  const nextText = (row: number, place: number) =>
    texts.slice((row * PATHS.length + place) * 64, (row * PATHS.length + place + 1) * 64);
  const attributesOf = (row: number) =>
    JSON.stringify(Object.fromEntries(PATHS.map((path, place) => [path, nextText(row, place).repeat(3)])));
  await store.insert(Array.from({ length: ROWS }, (_, row) => ({ id: row + 1, attributes: attributesOf(row) })));
  await store.setNextRowId(ROWS + 1);
});

afterAll(() => store.close());

describe('a batch of rows with 12 kB of attributes each', () => {
  it('holds what was asked for, and not the rows', async () => {
    const heldBytes = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const before = heldBytes();
    const options = { columns: ['name'], attributes: PATHS.slice(0, 1), order: 'start desc' } as const;
    for await (const { batch } of readBatches(store.scope, { projectRowId: 1 }, options)) {
      expect(batch.rowCount).toBe(ROWS);
      expect(batch.attribute('wide.a0').values).toHaveLength(ROWS + 1);
      expect(heldBytes() - before).toBeLessThan(6_000_000);
    }
  });

  it('takes room for as long as it is held', async () => {
    const room = takeRoomHere(100_000_000);
    const options = { columns: ['name'], attributes: PATHS, order: 'start desc' } as const;
    const held: number[] = [];
    for await (const _ of readBatches(store.scope, { projectRowId: 1 }, options)) held.push(room.takenBytes);
    expect(held).toEqual([expect.toSatisfy((bytes: number) => bytes > 10_000_000)]);
    await expect.poll(() => room.takenBytes).toBe(0);
  });

  it('is not read while there is no room for it, nor are columns built', async () => {
    const room = takeRoomHere(100_000_000);
    await store.exec("INSERT INTO span_segments (segment, build, format, is_due, row_count) VALUES (0, 0, '', 1, 0)");
    onTestFinished(() => void store.exec('DELETE FROM span_segments'));
    using _ = await room.take(99_000_000);
    const options = { columns: ['name'], attributes: PATHS, order: 'start desc' } as const;
    await expect(readBatches(store.scope, { projectRowId: 1 }, options).next()).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(buildSegment(store.scope.db, 0)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
