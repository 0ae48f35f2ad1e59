import { beforeEach, describe, expect, it } from 'vitest';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { spanId, type TestSpan, traceBody, traceId } from '../../../../test/harness/otlp-json.ts';
import { addDictionary } from '../../compaction/dictionaries.ts';
import { planCompaction } from '../../compaction/plan.ts';
import { toIncoming } from '../../incoming/request.ts';
import { openTestWriter } from '../../logs/write/open-writer.fixture.ts';
import { readOriginals } from './originals.ts';

let store: Awaited<ReturnType<typeof openTestWriter>>;

beforeEach(async () => {
  store = await openTestWriter();
});

async function send(spans: readonly TestSpan[]): Promise<void> {
  const context = { receivedUnixNano: 1n, projectOverride: null, defaultProject: 'default' };
  const request = decodeExportTraceRequest(transcodeJsonRequest(traceBody(spans)));
  await store.writer.write([toIncoming(normalizeRequest(request, context))]);
}

/** Changes one byte of a block. */
async function flip(blockId: number, place: (length: number) => number): Promise<void> {
  const { data } = await store.db
    .selectFrom('blocks')
    .select('data')
    .where('id', '=', blockId)
    .executeTakeFirstOrThrow();
  const flipped = Buffer.from(data);
  const at = place(flipped.length);
  flipped.writeUInt8(flipped.readUInt8(at) ^ 0x20, at);
  await store.db.updateTable('blocks').set({ data: flipped }).where('id', '=', blockId).execute();
}

const said = (number: number, text: string): TestSpan => ({
  spanId: spanId(number),
  attributes: { 'input.value': `${text} ${'where is parcel 4711? '.repeat(20)}` },
});

describe('an original whose block is damaged', () => {
  it('is never given back altered, and is named, wherever a byte flips', async () => {
    const count = 16;
    for (let number = 1; number <= count; number++) await send([said(number, `turn ${number}`)]);
    const blocks = await store.db.selectFrom('blocks').select('id').orderBy('id').execute();
    const rows = await store.db.selectFrom('spans').select(['id', 'span_id']).orderBy('id').execute();
    const before = await readOriginals(
      store.db,
      store.dialect,
      rows.map(({ id }) => id),
    );
    for (const [index, { id }] of blocks.entries()) await flip(id, (length) => Math.floor((index * length) / count));
    let namedCount = 0;
    for (const { id, span_id } of rows) {
      const answer = await readOriginals(store.db, store.dialect, [id]).catch((error: unknown) => error as Error);
      if (answer instanceof Error) {
        expect(answer).toMatchObject({ code: 'data_damaged' });
        expect(answer.message).toContain(`${span_id} of trace ${traceId(1)}`);
        namedCount++;
      } else {
        // A bit of the frame's head that means nothing.
        expect(answer.get(id)).toEqual(before.get(id));
      }
    }
    expect(namedCount).toBeGreaterThan(count - 4);
  });

  it('is noticed where a whole block is in the place of another, or a message of it, or no block at all', async () => {
    await send([said(1, 'one'), said(2, 'two')]);
    await send([said(3, 'three')]);
    const [first, second] = await store.db.selectFrom('blocks').selectAll().orderBy('id').execute();
    const damaged = (number: number) => ({
      code: 'data_damaged',
      message: expect.stringContaining(`${spanId(number)} of trace ${traceId(1)}`),
    });
    const read = (rowId: number) => readOriginals(store.db, store.dialect, [rowId]);
    await store.db
      .updateTable('blocks')
      .set({ data: first?.data, raw_bytes: first?.raw_bytes })
      .where('id', '=', second?.id ?? 0)
      .execute();
    await expect(read(3)).rejects.toMatchObject(damaged(3));
    await store.db.updateTable('span_locations').set({ ordinal: 0 }).where('span_row_id', '=', 2).execute();
    await expect(read(2)).rejects.toMatchObject(damaged(2));
    await store.db.updateTable('span_locations').set({ ordinal: 7 }).where('span_row_id', '=', 2).execute();
    await expect(read(2)).rejects.toMatchObject(damaged(2));
    await store.db.updateTable('span_locations').set({ block_id: 99 }).where('span_row_id', '=', 2).execute();
    await expect(read(2)).rejects.toMatchObject(damaged(2));
    expect((await read(1)).size).toBe(1);
    expect((await read(4)).size).toBe(0);
  });

  it('is left out where the others are wanted, and told of', async () => {
    await send([said(1, 'one')]);
    await send([said(2, 'two')]);
    await flip(1, (length) => length - 10);
    const damaged: number[] = [];
    const onDamaged = (rowId: number) => damaged.push(rowId);
    const originals = await readOriginals(store.db, store.dialect, [1, 2], { onDamaged });
    expect([[...originals.keys()], damaged]).toEqual([[2], [1]]);
  });

  it('is replaced when the span is sent again', async () => {
    await send([said(1, 'hello')]);
    const before = await readOriginals(store.db, store.dialect, [1]);
    await flip(1, (length) => length - 10);
    await expect(readOriginals(store.db, store.dialect, [1])).rejects.toMatchObject({ code: 'data_damaged' });
    await send([said(1, 'hello')]);
    expect(await readOriginals(store.db, store.dialect, [1])).toEqual(before);
  });
});

it('an original is read once more where its dictionary goes meanwhile', async () => {
  const { db, dialect, writer } = store;
  const add = (text: string) => {
    const dictionary = { projectRowId: 1, madeAtBlockId: 0, data: Buffer.from(`${text} where is parcel 4711?`) };
    return writer.change((scope) => addDictionary(scope.db, dictionary));
  };
  const compact = async () => writer.compact([await planCompaction(db, dialect, 1)]);
  await send([said(1, 'one')]);
  await add('first');
  await compact();
  const before = await readOriginals(db, dialect, [1]);
  let isReplaced = false;
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isReplaced) {
        isReplaced = true;
        await add('second');
        await send([said(2, 'two')]);
        expect(await compact()).toEqual([true]);
        await add('third');
      }
      return result;
    },
  });
  expect(await readOriginals(watched, dialect, [1])).toEqual(before);
  expect(isReplaced).toBe(true);
});
