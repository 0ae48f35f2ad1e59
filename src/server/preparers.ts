/** The threads that prepare requests: one for all, and one for each request that is stored part by part. */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { threadEntry } from '#base/thread-entry';
import type { Config } from '#config/config';
import type { Preparation } from '#ingest/pipeline';
import type { ReceivedExport } from '#ingest/receiver';
import type { SpanListPreparation } from '#ingest/span-list/prepare';
import { Semaphore } from '#base/semaphore';
import { Thread, type ThreadOptions } from '#store/threads/thread';
import type { PackedExport } from '#store/writer/port';
import type { PreparerCalls, PreparerThreadData } from './preparer-thread.ts';

/** Who hears what threads say, and that they died. */
export type ThreadWatchers = Pick<ThreadOptions, 'onDeath' | 'onLog'>;

/** For what lives no longer than a group, in each thread of ingestion. Left alone it grows to 130 MB, for little speed. */
export const INGEST_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 24 };

/** Prepares requests elsewhere. A thread starts when it is needed: most of what an idle server takes is that of threads. */
export class Preparers {
  readonly #options: ThreadOptions;
  readonly #forAll: Thread<PreparerCalls>;
  readonly #largeLists = new Semaphore(MAX_LARGE_LISTS);

  constructor({ otlpMaxBytes, defaultProjectName, redactAttributes }: Config, watchers: ThreadWatchers) {
    const workerData: PreparerThreadData = {
      maxBodyBytes: otlpMaxBytes,
      defaultProject: defaultProjectName,
      redactAttributes,
    };
    const entry = threadEntry(import.meta.url, 'preparer-thread');
    this.#options = { spawn: () => new Worker(entry, { workerData, resourceLimits: INGEST_LIMITS }), ...watchers };
    this.#forAll = new Thread({ ...this.#options, endAfterIdleMs: REST_MS });
  }

  prepare(received: ReceivedExport): Promise<Preparation> {
    return this.#forAll.call('prepare', [received], [received.body.buffer]);
  }

  /** Reads a list of spans, a large one in a thread of its own; the body's buffer is moved. */
  prepareSpanList(body: Uint8Array<ArrayBuffer>, contentEncoding: string): Promise<SpanListPreparation> {
    const prepareIn = (thread: Thread<PreparerCalls>) =>
      thread.call('prepareSpanList', [body, contentEncoding], [body.buffer]);
    if (body.length <= MAX_SHARED_LIST_BYTES && contentEncoding === '') return prepareIn(this.#forAll);
    return this.#largeLists.run(async () => {
      const thread = new Thread<PreparerCalls>(this.#options);
      try {
        return await prepareIn(thread);
      } finally {
        await thread.close();
      }
    });
  }

  /** The parts, each prepared while the one before it is stored. */
  async *prepareParts(received: ReceivedExport): AsyncGenerator<PackedExport, void> {
    const thread = new Thread<PreparerCalls>(this.#options);
    const prepareNext = () => thread.call('nextPart', []);
    try {
      await thread.call('openParts', [received], [received.body.buffer]);
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

/** JSON takes ten times as long to read as an export, which others wait for. */
const MAX_SHARED_LIST_BYTES = 256 * 1024;

/** Each has a thread, and several times its bytes in objects. */
const MAX_LARGE_LISTS = 2;
