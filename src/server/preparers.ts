/** The threads that prepare requests: one for all, and one for each request that is stored part by part. */
import { Worker } from 'node:worker_threads';
import { threadEntry } from '#base/thread-entry';
import type { Config } from '#config/config';
import type { Preparation } from '#ingest/pipeline';
import type { ReceivedExport } from '#ingest/receiver';
import { MAX_SMALL_LIST_BYTES, type SpanListPreparation } from '#ingest/span-list/prepare';
import type { RoomPart } from '#base/memory-room';
import { Semaphore } from '#base/semaphore';
import { isCompressed } from '#otlp/compression';
import { Thread, type ThreadOptions } from '#store/threads/thread';
import type { PackedExport } from '#store/writer/port';
import type { PreparerCalls, PreparerThreadData } from './preparer-thread.ts';
import { threadLimits } from './thread-limits.ts';

/** Who hears what threads say, and that they died. */
export type ThreadWatchers = Pick<ThreadOptions, 'onDeath' | 'onLog'>;

/** What lists of spans may take. */
export interface SpanListBounds {
  /** Largest list, as sent and after decompression. */
  readonly maxListBytes: number;
  /** Where a large list takes room before it is read. */
  readonly room: RoomPart;
}

/** Prepares requests elsewhere. A thread starts when it is needed: most of what an idle server takes is that of threads. */
export class Preparers {
  readonly #options: ThreadOptions;
  readonly #forAll: Thread<PreparerCalls>;
  readonly #lists: SpanListBounds;
  readonly #largeLists = new Semaphore(MAX_LARGE_LISTS);

  constructor(
    { otlpMaxBytes, defaultProjectName, redactAttributes, maxMemoryBytes }: Config,
    watchers: ThreadWatchers,
    lists: SpanListBounds,
  ) {
    this.#lists = lists;
    const workerData: PreparerThreadData = {
      maxBodyBytes: otlpMaxBytes,
      maxListBytes: lists.maxListBytes,
      defaultProject: defaultProjectName,
      redactAttributes,
    };
    const entry = threadEntry(import.meta.url, 'preparer-thread');
    const resourceLimits = threadLimits(maxMemoryBytes).ingestion;
    this.#options = { spawn: () => new Worker(entry, { workerData, resourceLimits }), ...watchers };
    this.#forAll = new Thread({ ...this.#options, endAfterIdleMs: REST_MS });
  }

  prepare(received: ReceivedExport): Promise<Preparation> {
    return this.#forAll.call('prepare', [received], [received.body.buffer]);
  }

  /** Reads a list of spans, a large one in a thread of its own; the body's buffer is moved. */
  async prepareSpanList(body: Uint8Array<ArrayBuffer>, contentEncoding: string): Promise<SpanListPreparation> {
    if (body.length > MAX_SMALL_LIST_BYTES) return this.#prepareLargeList(body, contentEncoding);
    const prepared = await this.#forAll.call('prepareSmallList', [body, contentEncoding], [body.buffer]);
    return 'large' in prepared ? this.#prepareLargeList(prepared.large, contentEncoding) : prepared;
  }

  #prepareLargeList(body: Uint8Array<ArrayBuffer>, contentEncoding: string): Promise<SpanListPreparation> {
    const { room, maxListBytes } = this.#lists;
    return this.#largeLists.run(async () => {
      using _ = await room.take(MEMORY_OF_JSON * (isCompressed(contentEncoding) ? maxListBytes : body.length));
      const thread = new Thread<PreparerCalls>(this.#options);
      try {
        return await thread.call('prepareSpanList', [body, contentEncoding], [body.buffer]);
      } finally {
        await thread.close();
      }
    });
  }

  /** The parts, each prepared while the one before it is stored. @param onOpened hears of the bytes that they take from then on */
  async *prepareParts(
    received: ReceivedExport,
    onOpened: (heldBytes: number) => void,
  ): AsyncGenerator<PackedExport, void> {
    const thread = new Thread<PreparerCalls>(this.#options);
    const prepareNext = () => thread.call('nextPart', []);
    try {
      onOpened(await thread.call('openParts', [received], [received.body.buffer]));
      let part = await prepareNext();
      while (part !== null) {
        const next = prepareNext();
        // Heard when its turn comes, which is not when it fails.
        next.catch(() => undefined);
        yield part;
        part = await next;
      }
    } finally {
      await thread.close();
    }
  }

  close(): Promise<void> {
    return this.#forAll.close();
  }
}

/** Exporters that send now and then do so more often. */
const REST_MS = 30_000;

/** What a byte of a list takes: as it was sent, as text, in objects, and in the export that is made of them. */
const MEMORY_OF_JSON = 6;

/** Each has a thread. */
const MAX_LARGE_LISTS = 2;
