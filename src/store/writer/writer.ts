/** Group commit: several requests in one transaction, acknowledged after the one sync. */
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import { nextMomentUs } from '#base/moment';
import type { Rejection } from '#normalize/normalized';
import type { Signal } from '#otlp/signal';
import type { PriceTable } from '#derive/cost/price-table';
import type { CompactionPlan } from '../compaction/plan.ts';
import { swapBlocks } from '../compaction/queue.ts';
import type { WriteEngine } from '../engine/engine.ts';
import {
  isDamage,
  isStorageFailure,
  RETRY_AFTER_SECONDS,
  StorageError,
  toChangeError,
} from '../engine/storage-error.ts';
import { RecordPresence } from '../logs/write/presence.ts';
import { priceAgain } from '../prices/price-again.ts';
import { loadPriceTable } from '../prices/load-price-table.ts';
import type { Tables } from '../schema/tables.ts';
import type { TouchedProject } from '../engine/touched-project.ts';
import type { SpanWriter, WriteOutcome } from './port.ts';
import type { IncomingRequest } from '../incoming/request.ts';
import { deriveAgain } from '../spans/write/derive-again.ts';
import { EnvelopeCache } from '../spans/rows/envelope-cache.ts';
import { REFUSED_BY_CONFIG } from '../annotations/write/strict-configs.ts';
import { LedgerEntries } from '../spans/write/ledger.ts';
import { Registry } from '../spans/write/registry.ts';
import { ResponseKeys } from '../spans/write/response-keys.ts';
import { RowIds } from '../spans/write/row-ids.ts';
import type { RecordHooks } from '../records/hooks.ts';
import {
  type RequestContent,
  type StoredContent,
  type StoredRequests,
  storeRequests,
  type StoreScope,
} from './store-requests.ts';
import { joinTouched, type TouchedPlace, touchedProjects } from '../spans/write/touched-projects.ts';

/** What the writer stands on. */
export interface WriterOptions
  extends Pick<WriteEngine, 'db' | 'dialect' | 'bulkInsert' | 'bulkUpdate' | 'run' | 'takeTurn' | 'tell'> {
  /** Of the slices whose records hang on traces, spans or sessions. */
  readonly hooks?: readonly RecordHooks[] | undefined;
  /** Told of every error that a sender only learns the outcome of. */
  readonly onError: (message: string, cause: unknown) => void;
}

/** The writer of a database that is migrated. */
export class RelationalSpanWriter implements SpanWriter {
  readonly #options: WriterOptions;
  readonly #rowIds = new RowIds();
  readonly #registry = new Registry();
  readonly #responseKeys = new ResponseKeys();
  readonly #presence = new RecordPresence();
  readonly #envelopes = new EnvelopeCache();
  #prices: PriceTable | undefined;
  /** Whether memory and database may disagree: at first, and after a transaction that did not commit. */
  #isStale = true;
  /** When the log last said that requests are not stored, and how many groups were not since. */
  #toldOfFailureUs = 0;
  #untoldFailures = 0;
  /** When the log last said that annotations are left out. */
  #toldOfLeftOutUs = 0;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /**
   * All requests at once; where that fails each alone, and where one fails as a whole each of its spans and log records
   * alone, so that a bad one costs only itself. The first attempt sets no savepoint: SQLite would copy every page that a
   * statement touches, and walk through all copies at each statement's end.
   */
  async write(requests: readonly IncomingRequest[]): Promise<readonly WriteOutcome[]> {
    const nowUs = Date.now() * 1000;
    try {
      return await this.#commit((scope) => storeTogether(scope, requests, nowUs), nowUs).catch((error: unknown) => {
        if (isStorageFailure(error)) throw error;
        return this.#commit((scope) => this.#storeApart(scope, requests, nowUs), nowUs);
      });
    } catch (error) {
      // Of that the server says once that it stops.
      const isOutdated = error instanceof StorageError && error.fault === 'outdated';
      if (!isOutdated) this.#tellOfFailure(error, nowUs);
      const common = { cause: error, retryAfterSeconds: RETRY_AFTER_SECONDS };
      throw isDamage(error)
        ? new AppError('unavailable', STORING_MEETS_DAMAGE, { ...common, reason: 'damage' })
        : new AppError('unavailable', 'The request could not be stored; send it again.', common);
    }
  }

  /** Swaps the blocks of each plan that still holds; says of each whether it changed anything. */
  async compact(plans: readonly CompactionPlan[]): Promise<readonly boolean[]> {
    return this.#transact(async (scope) => {
      const changed: boolean[] = [];
      for (const plan of plans) {
        changed.push(await swapBlocks({ ...scope, takeBlockId: () => scope.rowIds.take('blocks') }, plan));
      }
      return changed;
    });
  }

  /**
   * Reads stored spans anew, by today's rules; tells where something changed.
   * @throws AppError `unavailable` where the storage failed, and nothing changed; StorageError `full` where there is no room
   */
  async reindex(spanRowIds: readonly number[]): Promise<readonly TouchedProject[]> {
    return this.#changeStored((scope) => deriveAgain(scope, spanRowIds));
  }

  /** The same for prices: by the table of this moment, and by what rows say alone. */
  async reprice(spanRowIds: readonly number[]): Promise<readonly TouchedProject[]> {
    return this.#changeStored((scope) => priceAgain(scope, spanRowIds));
  }

  /** Tables were made again: what it knows of them is read again before the next change. */
  forget(): void {
    this.#isStale = true;
  }

  /** Prices have changed: they are read again before the next span is priced. */
  forgetPrices(): void {
    this.#prices = undefined;
  }

  async #changeStored(
    change: (scope: StoreScope) => Promise<readonly TouchedPlace[]>,
  ): Promise<readonly TouchedProject[]> {
    try {
      return await this.#transact(async (scope) => {
        const touched = touchedProjects(await change(scope));
        await this.#options.tell(touched);
        return touched;
      });
    } catch (error) {
      throw toChangeError(error, 'Stored spans could not be changed.');
    }
  }

  /**
   * Does what another part of the store has to do with what is stored, in a transaction of its own.
   * @throws AppError `unavailable` where the storage failed, and nothing changed; StorageError `full` where there is no room
   */
  async change<T>(work: (scope: StoreScope) => Promise<T>): Promise<T> {
    try {
      return await this.#transact(work);
    } catch (error) {
      throw toChangeError(error, 'The stored data could not be changed.');
    }
  }

  async #transact<T>(work: (scope: StoreScope) => Promise<T>): Promise<T> {
    try {
      return await this.#options.db.transaction().execute(async (db) => {
        const isSame = await this.#options.takeTurn();
        if (this.#isStale || !isSame) await this.#learn(db);
        this.#prices ??= await loadPriceTable(db);
        const prices = this.#prices;
        const scope: StoreScope = {
          ...this.#options,
          db,
          hooks: this.#options.hooks ?? NO_HOOKS,
          registry: this.#registry,
          responseKeys: this.#responseKeys,
          rowIds: this.#rowIds,
          presence: this.#presence,
          envelopes: this.#envelopes,
          prices,
        };
        const result = await work(scope);
        await this.#rowIds.save(scope);
        return result;
      });
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  /** Forgets what it knew, for somebody else may have written, or a transaction of its own has not been. */
  async #learn(db: Kysely<Tables>): Promise<void> {
    this.#registry.forget();
    this.#envelopes.forget();
    this.#responseKeys.forget();
    this.#prices = undefined;
    await this.#rowIds.load(db);
    await this.#presence.load(db);
    this.#isStale = false;
  }

  #commit(
    store: (scope: StoreScope) => Promise<readonly StoredRequest[]>,
    nowUs: number,
  ): Promise<readonly WriteOutcome[]> {
    return this.#transact(async (scope) => {
      const ledger = new LedgerEntries();
      const stored = await store(scope);
      this.#tellOfLeftOut(stored, nowUs);
      const changedAtUs = nextMomentUs();
      const outcomes = stored.map((one) => toOutcome(one, ledger, changedAtUs));
      await ledger.write(scope, nowUs);
      await this.#options.tell(joinTouched(outcomes.map(({ touched }) => touched)));
      return outcomes;
    });
  }

  /** Senders come again and again while a disk is full or a table is locked; the log says so once a minute. */
  #tellOfFailure(error: unknown, nowUs: number): void {
    if (nowUs - this.#toldOfFailureUs < TELLS_EVERY_US) {
      this.#untoldFailures++;
      return;
    }
    const untold = this.#untoldFailures === 0 ? '' : ` (nor could ${this.#untoldFailures} before it)`;
    this.#toldOfFailureUs = nowUs;
    this.#untoldFailures = 0;
    this.#options.onError(`a group of export requests could not be stored${untold}`, error);
  }

  #tellOfLeftOut(stored: readonly StoredRequest[], nowUs: number): void {
    if (!stored.some(({ parts }) => parts.some(({ leftOutCount }) => leftOutCount > 0))) return;
    if (nowUs - this.#toldOfLeftOutUs < TELLS_EVERY_US) return;
    this.#toldOfLeftOutUs = nowUs;
    const reason = 'Too many wait already. The ingest ledger counts those that are left out as too_many_wait.';
    const message = 'annotations that spans carry for others that have not arrived are left out';
    this.#options.onError(message, new AppError('resource_exhausted', reason));
  }

  async #storeApart(
    scope: StoreScope,
    requests: readonly IncomingRequest[],
    nowUs: number,
  ): Promise<readonly StoredRequest[]> {
    const stored: StoredRequest[] = [];
    for (const request of requests) {
      try {
        const parts = [await this.#inSavepoint(scope, [request], nowUs)];
        stored.push({ request, parts, rejected: request.rejected });
      } catch (error) {
        if (isStorageFailure(error)) throw error;
        stored.push(await this.#storeOneByOne(scope, request, nowUs));
      }
    }
    return stored;
  }

  async #storeOneByOne(scope: StoreScope, request: IncomingRequest, nowUs: number): Promise<StoredRequest> {
    const parts: StoredRequests[] = [];
    const rejected: Rejection[] = [...request.rejected];
    const store = async (content: RequestContent, what: string) => {
      try {
        parts.push(await this.#inSavepoint(scope, [content], nowUs));
      } catch (error) {
        if (isStorageFailure(error)) throw error;
        const message = `${what} could not be stored`;
        this.#options.onError(message, error);
        rejected.push({ reason: 'unstorable', message: `${message}; the server's log says why.` });
      }
    };
    const sender = request.sender === undefined ? {} : { sender: request.sender };
    for (const span of request.spans) {
      await store({ ...sender, spans: [span], records: [] }, `Span ${span.digest.spanId}`);
    }
    for (const record of request.records) await store({ ...sender, spans: [], records: [record] }, 'A log record');
    return { request, parts, rejected };
  }

  async #inSavepoint(scope: StoreScope, requests: readonly RequestContent[], nowUs: number): Promise<StoredRequests> {
    await scope.run('SAVEPOINT requests', []);
    try {
      const stored = await storeRequests(scope, requests, nowUs);
      await scope.run('RELEASE requests', []);
      return stored;
    } catch (error) {
      if (!isStorageFailure(error)) {
        await scope.run('ROLLBACK TO requests', []);
        await scope.run('RELEASE requests', []);
        this.#registry.forget();
        scope.envelopes.forget();
      }
      throw error;
    }
  }
}

/** Exporters keep the request, so that it is stored when the damage is mended. */
const STORING_MEETS_DAMAGE =
  "The request could not be stored, because the database is damaged: the server's log says where. Send it again. If it is refused for ten minutes, stop the server, copy what is whole with `cairn db salvage`, and start the server on the copy.";

const NO_HOOKS: readonly RecordHooks[] = [];

const NOTHING_BESIDE: Omit<StoredRequests, 'contents'> = {
  touched: [],
  refusedAnnotationCount: 0,
  leftOutCount: 0,
  expired: new Map(),
};

async function storeTogether(
  scope: StoreScope,
  requests: readonly IncomingRequest[],
  nowUs: number,
): Promise<readonly StoredRequest[]> {
  const stored = await storeRequests(scope, requests, nowUs);
  return requests.map((request, place) => {
    const parts: StoredRequests[] = [];
    // What changed beside the counts is the group's, and told with its first request.
    const content = stored.contents[place];
    if (content !== undefined) parts.push({ ...(place === 0 ? stored : NOTHING_BESIDE), contents: [content] });
    return { request, parts, rejected: request.rejected };
  });
}

/** What became of a request, as a whole or one by one. */
interface StoredRequest {
  readonly request: IncomingRequest;
  readonly parts: readonly StoredRequests[];
  readonly rejected: readonly Rejection[];
}

function toOutcome(
  { request, parts, rejected: unread }: StoredRequest,
  ledger: LedgerEntries,
  changedAtUs: number,
): WriteOutcome {
  const { signal, droppedCount, sender } = request;
  const of = { signal, keyRowId: sender?.keyRowId ?? 0 };
  const rejected = [...unread];
  const sums = { stored: 0, replaced: 0, duplicate: 0 };
  const touched: TouchedPlace[] = [];
  for (const { contents, touched: beside, refusedAnnotationCount, leftOutCount, expired } of parts) {
    for (const content of contents) {
      for (const count of countsOf(content)) {
        for (const outcome of ['stored', 'replaced', 'duplicate'] as const) {
          ledger.add({ ...of, projectId: count.projectId, outcome, reason: '' }, count[outcome]);
          sums[outcome] += count[outcome];
        }
        for (const place of count.touched) touched.push(place);
      }
      for (const rejection of content.rejected) rejected.push(rejection);
    }
    for (const place of beside) touched.push(place);
    const leftOut = { signal: 'annotations', outcome: 'dropped', reason: TOO_MANY_WAIT } as const;
    ledger.add({ ...leftOut, projectId: 0, keyRowId: 0 }, leftOutCount);
    for (const [projectId, count] of expired) {
      ledger.add({ projectId, keyRowId: 0, signal: 'logs', outcome: 'expired', reason: NO_TRACE }, count);
    }
    ledger.add(REFUSED_ANNOTATIONS, refusedAnnotationCount);
  }
  for (const { reason } of rejected) ledger.add({ ...of, projectId: 0, outcome: 'rejected', reason }, 1);
  ledger.add({ ...of, projectId: 0, outcome: 'dropped', reason: DROPPED_BECAUSE[signal] }, droppedCount);
  return { ...sums, dropped: droppedCount, rejected, touched: touchedProjects(touched, changedAtUs) };
}

const REFUSED_ANNOTATIONS = {
  projectId: 0,
  keyRowId: 0,
  signal: 'annotations',
  outcome: 'rejected',
  reason: REFUSED_BY_CONFIG,
} as const;

interface Count {
  readonly projectId: number;
  readonly stored: number;
  readonly replaced: number;
  readonly duplicate: number;
  readonly touched: readonly TouchedPlace[];
}

function countsOf({ spans, records }: StoredContent): Count[] {
  const ofSpans = spans.map(({ traceId, ...count }): Count => {
    const isChanged = count.stored + count.replaced > 0;
    return { ...count, touched: isChanged ? [{ projectId: count.projectId, traceId }] : [] };
  });
  const ofRecords = records.map(({ traceIds, ...count }): Count => {
    const { projectId } = count;
    const touched = [...traceIds].map((traceId) => ({ projectId, traceId }));
    return { ...count, replaced: 0, touched: count.stored === 0 ? [] : [{ projectId, traceId: null }, ...touched] };
  });
  return [...ofSpans, ...ofRecords];
}

/** Why a record of ordinary logging is not kept. */
const NO_TRACE = 'no_trace';
const TOO_MANY_WAIT = 'too_many_wait';
/** How often the log says so. */
const TELLS_EVERY_US = 3_600_000_000;

const DROPPED_BECAUSE: Readonly<Record<Signal, string>> = { traces: '', logs: NO_TRACE, metrics: 'not_kept' };
