import { beforeEach, expect, it } from 'vitest';
import { MemoryRoom, type RoomPart } from '#base/memory-room';
import type { ExportResult, PackedExport } from '#store/writer/port';
import { Pipeline, type Preparation } from './pipeline.ts';
import type { ReceivedExport } from './receiver.ts';

const RESULT: ExportResult = { stored: 1, replaced: 0, duplicate: 0, dropped: 0, rejected: [], touched: [], hint: '' };
const MEGABYTE = 1024 * 1024;
const MAX_BODY_BYTES = 10 * MEGABYTE;

let room: RoomPart;

beforeEach(() => {
  room = new MemoryRoom({ maxBytes: 100 * MEGABYTE, waitMs: 20 }).part();
});

it('prepares two at a time, and hands on what is prepared', async () => {
  const { pipeline, preparing, storing } = createPipeline();
  const answers = [1, 2, 3].map((size) => pipeline.store(received(size)));
  await settled();
  expect(preparing).toHaveLength(2);
  preparing[0]?.resolve({ packed: packed(1) });
  await settled();
  expect(preparing).toHaveLength(3);
  expect(storing).toHaveLength(1);
  storing[0]?.resolve(RESULT);
  expect(await answers[0]).toBe(RESULT);
});

it('prepares no more while enough waits to be stored', async () => {
  const { pipeline, preparing, storing } = createPipeline();
  const answers = [1, 2, 3, 4].map((size) => pipeline.store(received(size)));
  await settled();
  for (const one of preparing.slice(0, 2)) one.resolve({ packed: packed(5 * MEGABYTE) });
  await settled();
  expect(preparing).toHaveLength(3);
  preparing[2]?.resolve({ packed: packed(1) });
  await settled();
  expect(preparing).toHaveLength(3);
  storing[0]?.resolve(RESULT);
  await answers[0];
  await settled();
  expect(preparing).toHaveLength(4);
});

it('goes on after a request that cannot be prepared, and after one that cannot be stored', async () => {
  const { pipeline, preparing, storing } = createPipeline();
  const answers = [1, 2, 3].map((size) => pipeline.store(received(size)));
  const outcomes = Promise.allSettled(answers);
  await settled();
  preparing[0]?.reject(new Error('bad'));
  preparing[1]?.resolve({ packed: packed(20 * MEGABYTE) });
  await settled();
  storing[0]?.reject(new Error('full'));
  await settled();
  preparing[2]?.resolve({ packed: packed(1) });
  await settled();
  storing[1]?.resolve(RESULT);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

it('stores a large request part by part, others between them, and adds up what became of it', async () => {
  const { pipeline, preparing, storing } = createPipeline();
  const answer = pipeline.store(received(1));
  await settled();
  preparing[0]?.resolve({ large: received(1) });
  await settled();
  expect(storing).toHaveLength(1);
  const other = pipeline.store(received(2));
  await settled();
  preparing[1]?.resolve({ packed: packed(2) });
  await settled();
  expect(storing).toHaveLength(2);
  storing[1]?.resolve(RESULT);
  expect(await other).toBe(RESULT);
  storing[0]?.resolve(RESULT);
  await settled();
  expect(storing).toHaveLength(3);
  storing[2]?.resolve({ ...RESULT, stored: 5 });
  expect(await answer).toEqual({ ...RESULT, stored: 6 });
});

it('prepares two large requests at a time', async () => {
  const { pipeline, preparing, storing, large } = createPipeline();
  for (const size of [1, 2, 3]) {
    void pipeline.store(received(size));
    await settled();
    preparing.at(-1)?.resolve({ large: received(size) });
    await settled();
  }
  expect(large).toHaveLength(2);
  for (const place of [0, 2]) {
    storing[place]?.resolve(RESULT);
    await settled();
  }
  expect(large).toHaveLength(3);
});

it('takes room for a large request before it is prepared in parts, and refuses it where there is none', async () => {
  const { pipeline, preparing, large } = createPipeline();
  using _ = await room.take(99 * MEGABYTE);
  const answer = pipeline.store(received(1));
  await settled();
  preparing[0]?.resolve({ large: received(MEGABYTE) });
  await expect(answer).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  expect(large).toEqual([]);
});

it('gives back what a large request does not take once it is decompressed, and the rest when it is stored', async () => {
  const { pipeline, preparing, storing, opened } = createPipeline();
  const answer = pipeline.store(received(1));
  await settled();
  preparing[0]?.resolve({ large: { ...received(1), contentEncoding: 'gzip' } });
  await settled();
  expect(room.takenBytes).toBe(3 * MAX_BODY_BYTES);
  opened[0]?.(2 * MEGABYTE);
  expect(room.takenBytes).toBe(2 * MEGABYTE);
  for (const place of [0, 1]) {
    storing[place]?.resolve(RESULT);
    await settled();
  }
  await answer;
  expect(room.takenBytes).toBe(0);
});

it('takes no more for a body that says that it is not compressed than for one that says nothing', async () => {
  const { pipeline, preparing } = createPipeline();
  void pipeline.store(received(1));
  await settled();
  preparing[0]?.resolve({ large: { ...received(1000), contentEncoding: 'identity' } });
  await settled();
  expect(room.takenBytes).toBe(3000);
});

it('gives up a large request that waits for room when it is stopped', async () => {
  using _ = await room.take(99 * MEGABYTE);
  const { pipeline, preparing } = createPipeline();
  const outcome = expect(pipeline.store(received(1))).rejects.toMatchObject({ message: /stopping/ });
  await settled();
  preparing[0]?.resolve({ large: received(MEGABYTE) });
  await settled();
  expect(room.waitingCount).toBe(1);
  pipeline.stop();
  await outcome;
  expect(room.waitingCount).toBe(0);
});

it('gives up a large request between two parts when it is stopped', async () => {
  const { pipeline, preparing, storing } = createPipeline();
  const answer = pipeline.store(received(1));
  const outcome = expect(answer).rejects.toMatchObject({ code: 'unavailable' });
  await settled();
  preparing[0]?.resolve({ large: received(1) });
  await settled();
  pipeline.stop();
  storing[0]?.resolve(RESULT);
  await outcome;
  expect(storing).toHaveLength(1);
});

it('begins no large request once it is stopped', async () => {
  const { pipeline, preparing, storing, large } = createPipeline();
  const answers: Promise<ExportResult>[] = [];
  for (const size of [1, 2, 3]) {
    answers.push(pipeline.store(received(size)));
    await settled();
    preparing.at(-1)?.resolve({ large: received(size) });
    await settled();
  }
  pipeline.stop();
  for (const one of storing) one.resolve(RESULT);
  for (const { status } of await Promise.allSettled(answers)) expect(status).toBe('rejected');
  expect(large).toHaveLength(2);
});

function createPipeline() {
  const large: ReceivedExport[] = [];
  const opened: ((heldBytes: number) => void)[] = [];
  const preparing: PromiseWithResolvers<Preparation>[] = [];
  const storing: PromiseWithResolvers<ExportResult>[] = [];
  const begin = <T>(list: PromiseWithResolvers<T>[]) => {
    const work = Promise.withResolvers<T>();
    list.push(work);
    return work.promise;
  };
  return {
    pipeline: new Pipeline({
      maxLarge: 2,
      room,
      maxBodyBytes: MAX_BODY_BYTES,
      prepare: () => begin(preparing),
      prepareParts: (received, onOpened) => {
        large.push(received);
        opened.push(onOpened);
        return parts();
      },
      store: () => begin(storing),
    }),
    large,
    opened,
    preparing,
    storing,
  };
}

async function* parts(): AsyncGenerator<PackedExport, void> {
  yield packed(1);
  yield packed(1);
}

function received(size: number): ReceivedExport {
  return { signal: 'traces', body: new Uint8Array(size), format: 'protobuf', contentEncoding: '', projectName: null };
}

function packed(size: number): PackedExport {
  return { head: new Uint8Array(0), body: new Uint8Array(size) };
}

/** After everything that is ready to run has run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
