/**
 * The way of a request through the threads: prepared in one while another stores what was prepared before. How far
 * preparing may be ahead is bounded, as a body can be a thousand times its size once it is decompressed.
 */
import { AppError } from '#base/errors';
import { ExportTotal } from './export-total.ts';
import type { ExportResult, PackedExport } from '#store/writer/port';
import type { RoomPart } from '#base/memory-room';
import { isCompressed } from '#otlp/compression';
import type { ReceivedExport } from './receiver.ts';
import { Semaphore } from '#base/semaphore';

/** A prepared request, or the request itself where it is to be prepared part by part. */
export type Preparation = { readonly packed: PackedExport } | { readonly large: ReceivedExport };

/** The threads. */
export interface PipelineOptions {
  /** Large requests that are prepared at a time: each has a thread and holds its whole body, several times. */
  readonly maxLarge: number;
  /** Where a large request takes room before it is decompressed. */
  readonly room: RoomPart;
  /** Largest body, after decompression. */
  readonly maxBodyBytes: number;
  /** Prepares a request; the body's buffer is moved. */
  readonly prepare: (received: ReceivedExport) => Promise<Preparation>;
  /** Prepares a large request part by part, in a thread that no other request waits for. */
  readonly prepareParts: (
    received: ReceivedExport,
    onOpened: (heldBytes: number) => void,
  ) => AsyncIterable<PackedExport>;
  /** Stores it; both buffers are moved. */
  readonly store: (packed: PackedExport) => Promise<ExportResult>;
}

/** Hands requests on in the order in which they come. */
export class Pipeline {
  readonly #options: PipelineOptions;
  readonly #waiting: (() => void)[] = [];
  readonly #largeRequests: Semaphore;
  readonly #stop = new AbortController();
  #preparingCount = 0;
  #preparedBytes = 0;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#largeRequests = new Semaphore(options.maxLarge);
  }

  /**
   * Returns after the last commit that holds spans of it is synced. A large request is stored by several, between which
   * others have theirs.
   * @throws AppError as the threads throw it; `unavailable` when a large request is given up
   */
  async store(received: ReceivedExport): Promise<ExportResult> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#admit();
    });
    const preparation = await this.#prepare(received);
    if ('large' in preparation) return this.#largeRequests.run(() => this.#storeParts(preparation.large));
    const { packed } = preparation;
    const bytes = sizeOf(packed);
    try {
      return await this.#options.store(packed);
    } finally {
      this.#preparedBytes -= bytes;
      this.#admit();
    }
  }

  /** Gives up large requests after the parts that are being stored: they take longer than the shutdown waits. */
  stop(): void {
    this.#stop.abort(new AppError('unavailable', STOPPING, { retryAfterSeconds: 1 }));
  }

  async #storeParts(received: ReceivedExport): Promise<ExportResult> {
    const { room, prepareParts, store } = this.#options;
    // Those that wait for others are not begun, each of which takes seconds to read.
    using share = await room.take(this.#memoryOf(received), this.#stop.signal);
    const total = new ExportTotal();
    for await (const packed of prepareParts(received, share.keep)) {
      if (this.#stop.signal.aborted) throw new AppError('unavailable', STOPPED, { retryAfterSeconds: 1 });
      total.add(await store(packed));
    }
    return total.result;
  }

  /**
   * What it takes at most to prepare and store a large request: its body, decompressed, packed and compressed. What a compressed one
   * becomes is known afterwards.
   */
  #memoryOf({ body, contentEncoding }: ReceivedExport): number {
    return MEMORY_A_BYTE * (isCompressed(contentEncoding) ? this.#options.maxBodyBytes : body.length);
  }

  async #prepare(received: ReceivedExport): Promise<Preparation> {
    try {
      const preparation = await this.#options.prepare(received);
      if ('packed' in preparation) this.#preparedBytes += sizeOf(preparation.packed);
      return preparation;
    } finally {
      this.#preparingCount--;
      this.#admit();
    }
  }

  #admit(): void {
    while (this.#preparingCount < MAX_PREPARING && this.#preparedBytes < MAX_PREPARED_BYTES) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#preparingCount++;
      next();
    }
  }
}

const MEMORY_A_BYTE = 3;

function sizeOf({ head, body }: PackedExport): number {
  return head.length + body.length;
}

const STOPPING = 'The server is stopping; send the request again.';
const STOPPED = 'The server is stopping and has stored only part of the request; send the request again.';

/** One is prepared while the next is on its way. */
const MAX_PREPARING = 2;

/** Enough for the commit that runs and the one after it. */
const MAX_PREPARED_BYTES = 8 * 1024 * 1024;
