/**
 * Groups export requests into commits, in the writer's thread. Whatever arrives while a commit runs shares the next one:
 * a sync costs the same for one request as for a hundred. Each body is decompressed, decoded and normalised before the
 * transaction begins, so a bad one is answered without touching storage.
 */
import { normalizeRequest } from '#normalize/normalize-request';
import type { NormalizedRequest } from '#normalize/normalized';
import { decompress } from '#otlp/compression';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { redactRequest } from '#otlp/redact';
import type { SpanWriter, WriteOutcome } from '#store/writer-port';
import type { ReceivedExport } from './receiver.ts';

/** What grouping knows beside the requests. */
export interface GroupCommitOptions {
  readonly writer: SpanWriter;
  /** Largest body, after decompression. */
  readonly maxBodyBytes: number;
  readonly defaultProject: string;
  /** Tells keys whose values must never be stored; `null` when there are none. */
  readonly isMasked: ((key: string) => boolean) | null;
}

interface WaitingExport {
  readonly received: ReceivedExport;
  readonly receivedUnixNano: bigint;
  resolve(result: ExportResult): void;
  reject(error: unknown): void;
}

interface PreparedExport {
  readonly request: NormalizedRequest;
  readonly waiting: WaitingExport;
  readonly hint: string;
}

/** What became of a request's spans, and what its sender should know beside that; empty for nothing. */
export interface ExportResult extends WriteOutcome {
  readonly hint: string;
}

/** Turns received bodies into outcomes. */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #waiting: WaitingExport[] = [];
  #running: Promise<void> | undefined;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  /**
   * Returns after the commit that holds the spans is synced.
   * @throws AppError `invalid_argument`, `unsupported`, `too_large` for the body; `unavailable` when nothing is stored
   */
  export(received: ReceivedExport): Promise<ExportResult> {
    const receivedUnixNano = BigInt(Date.now()) * 1_000_000n;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ received, receivedUnixNano, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  /** Returns when everything that was handed over is answered. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Bodies that arrived during the last commit are delivered before the next group is made.
      await new Promise((resolve) => setImmediate(resolve));
      await this.#commit(this.#prepareGroup());
    }
    this.#running = undefined;
  }

  #prepareGroup(): PreparedExport[] {
    const group: PreparedExport[] = [];
    const deadline = performance.now() + MAX_GROUP_MS;
    let bytes = 0;
    let spans = 0;
    let taken = 0;
    for (const waiting of this.#waiting) {
      if (bytes >= MAX_GROUP_BYTES || spans >= MAX_GROUP_SPANS || performance.now() > deadline) break;
      taken++;
      try {
        const plain = decompress(waiting.received.body, waiting.received.contentEncoding, this.#options.maxBodyBytes);
        const body = this.#toProtobuf(plain, waiting.received.format);
        const request = normalizeRequest(decodeExportTraceRequest(body), {
          receivedUnixNano: waiting.receivedUnixNano,
          projectOverride: waiting.received.projectName,
          defaultProject: this.#options.defaultProject,
        });
        bytes += body.length;
        spans += request.spans.length;
        group.push({ request, waiting, hint: body.length === 0 ? hintAtNames(plain, waiting.received.format) : '' });
      } catch (error) {
        waiting.reject(error);
      }
    }
    this.#waiting = this.#waiting.slice(taken);
    return group;
  }

  #toProtobuf(plain: Uint8Array, format: ReceivedExport['format']): Uint8Array {
    const request = format === 'json' ? transcodeJsonRequest(plain) : plain;
    return this.#options.isMasked === null ? request : redactRequest(request, this.#options.isMasked);
  }

  async #commit(group: readonly PreparedExport[]): Promise<void> {
    if (group.length === 0) return;
    try {
      const outcomes = await this.#options.writer.write(group.map(({ request }) => request));
      for (const [index, { waiting, hint }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome === undefined)
          waiting.reject(new Error('the writer answered for fewer requests than it was given'));
        else waiting.resolve({ ...outcome, hint });
      }
    } catch (error) {
      for (const { waiting } of group) waiting.reject(error);
    }
  }
}

/** Unknown names are ignored by rule, so that a JSON request with all names wrong would vanish without a word. */
function hintAtNames(plain: Uint8Array, format: ReceivedExport['format']): string {
  const text = Buffer.from(plain);
  if (format !== 'json' || text.includes('"resourceSpans"') || !text.includes('"')) return '';
  return 'The request holds no spans: OTLP JSON names them resourceSpans, scopeSpans and spans.';
}

/** Why spans of a request were not stored, in one sentence; empty when all were. */
export function describeRejections(outcome: WriteOutcome): string {
  const [first] = outcome.rejected;
  if (first === undefined) return '';
  const total = outcome.stored + outcome.replaced + outcome.duplicate + outcome.rejected.length;
  const reasons = Map.groupBy(outcome.rejected, (rejection) => rejection.reason);
  const counts = [...reasons].map(([reason, rejections]) => `${rejections.length} ${reason}`).join(', ');
  return `${outcome.rejected.length} of ${total} spans were not stored (${counts}). The first: ${first.message}`;
}

/** Bounds of one group: what a commit holds in memory, and how long the first request waits for the last. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;
const MAX_GROUP_SPANS = 10_000;
const MAX_GROUP_MS = 100;
