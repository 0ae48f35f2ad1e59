/** Group commit: several requests in one transaction, acknowledged after the one sync. */
import type { Kysely } from 'kysely';
import { AppError } from '#base/errors';
import type { Rejection } from '#normalize/normalized';
import type { IncomingRequest, IncomingSpan } from '../incoming.ts';
import type { CompactionPlan } from '../../compaction/plan.ts';
import { swapBlocks } from '../../compaction/queue.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import type { SpanWriter, WriteOutcome } from '../../writer-port.ts';
import type { BulkInsert } from './bulk-insert.ts';
import { LedgerEntries } from './ledger.ts';
import type { RunStatement } from './prepared-query.ts';
import { Registry } from './registry.ts';
import { type TraceCount, type WriteScope, writeRequests } from './request-writer.ts';
import { RowIds } from './row-ids.ts';
import { touchedProjects } from './touched-projects.ts';

/** What the writer stands on. */
export interface WriterOptions {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly bulkInsert: BulkInsert;
  readonly run: RunStatement;
  /** Told of every error that a sender only learns the outcome of. */
  readonly onError: (message: string, cause: unknown) => void;
}

/** The writer of a database that is migrated. */
export class RelationalSpanWriter implements SpanWriter {
  readonly #options: WriterOptions;
  readonly #rowIds = new RowIds();
  readonly #registry = new Registry();
  /** Whether memory and database may disagree: at first, and after a transaction that did not commit. */
  #isStale = true;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async write(requests: readonly IncomingRequest[]): Promise<readonly WriteOutcome[]> {
    try {
      return await this.#transact(async (db) => {
        const scope: WriteScope = { ...this.#options, db, registry: this.#registry, rowIds: this.#rowIds };
        const ledger = new LedgerEntries();
        const outcomes = (await this.#store(scope, requests)).map((stored) => toOutcome(stored, ledger));
        await ledger.write(scope, Date.now() * 1000);
        return outcomes;
      });
    } catch (error) {
      this.#options.onError('a group of export requests could not be stored', error);
      throw new AppError('unavailable', 'The spans could not be stored; send them again.', {
        cause: error,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }

  /** Swaps the blocks of each plan that still holds; says of each whether it did. */
  async compact(plans: readonly CompactionPlan[]): Promise<readonly boolean[]> {
    return this.#transact(async (db) => {
      const scope = { ...this.#options, db, takeBlockId: () => this.#rowIds.take('blocks') };
      const held: boolean[] = [];
      for (const plan of plans) held.push(await swapBlocks(scope, plan));
      return held;
    });
  }

  async #transact<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T> {
    try {
      if (this.#isStale) {
        this.#registry.forget();
        await this.#rowIds.load(this.#options.db);
        this.#isStale = false;
      }
      return await this.#options.db.transaction().execute(async (db) => {
        const result = await work(db);
        await this.#rowIds.save({ ...this.#options, db });
        return result;
      });
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  /**
   * All requests at once; where that fails each alone, and where one fails as a whole each of its spans alone, so that a
   * bad span costs only itself.
   */
  async #store(scope: WriteScope, requests: readonly IncomingRequest[]): Promise<readonly StoredRequest[]> {
    try {
      const counts = await this.#inSavepoint(
        scope,
        requests.map((request) => request.spans),
      );
      return requests.map(({ rejected }, place) => ({ counts: counts[place] as readonly TraceCount[], rejected }));
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      const [first] = requests;
      if (requests.length === 1 && first !== undefined) return [await this.#storeOneByOne(scope, first)];
      const stored: StoredRequest[] = [];
      for (const request of requests) stored.push(...(await this.#store(scope, [request])));
      return stored;
    }
  }

  async #storeOneByOne(scope: WriteScope, request: IncomingRequest): Promise<StoredRequest> {
    const counts: TraceCount[] = [];
    const rejected: Rejection[] = [...request.rejected];
    for (const span of request.spans) {
      try {
        for (const count of (await this.#inSavepoint(scope, [[span]])).flat()) counts.push(count);
      } catch (error) {
        if (isStorageFailure(error)) throw error;
        this.#options.onError('a span could not be stored', error);
        const message = `Span ${span.digest.spanId} could not be stored; the server's log says why.`;
        rejected.push({ reason: 'unstorable', message });
      }
    }
    return { counts, rejected };
  }

  async #inSavepoint(
    scope: WriteScope,
    requests: readonly (readonly IncomingSpan[])[],
  ): Promise<readonly (readonly TraceCount[])[]> {
    await scope.run('SAVEPOINT requests', []);
    try {
      const counts = await writeRequests(scope, requests);
      await scope.run('RELEASE requests', []);
      return counts;
    } catch (error) {
      if (!isStorageFailure(error)) {
        await scope.run('ROLLBACK TO requests', []);
        await scope.run('RELEASE requests', []);
        this.#registry.forget();
      }
      throw error;
    }
  }
}

/** What became of a request. */
interface StoredRequest {
  readonly counts: readonly TraceCount[];
  readonly rejected: readonly Rejection[];
}

function toOutcome({ counts, rejected }: StoredRequest, ledger: LedgerEntries): WriteOutcome {
  for (const { projectId, stored, replaced, duplicate } of counts) {
    ledger.add(projectId, 'stored', '', stored);
    ledger.add(projectId, 'replaced', '', replaced);
    ledger.add(projectId, 'duplicate', '', duplicate);
  }
  for (const { reason } of rejected) ledger.add(0, 'rejected', reason, 1);
  return {
    stored: sum(counts, 'stored'),
    replaced: sum(counts, 'replaced'),
    duplicate: sum(counts, 'duplicate'),
    rejected,
    touched: touchedProjects(counts),
  };
}

/** A sender that is told to wait must not wait longer than a moment: disk trouble often passes. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Whether the storage itself failed, not the data: then nothing of the group may be acknowledged. SQLite may have rolled
 * the transaction back by itself.
 */
function isStorageFailure(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^SQLITE_(FULL|IOERR|NOMEM|BUSY|LOCKED|CORRUPT|NOTADB|READONLY|CANTOPEN|INTERRUPT|PROTOCOL)/.test(code);
}

function sum(counts: readonly TraceCount[], member: 'stored' | 'replaced' | 'duplicate'): number {
  return counts.reduce((total, count) => total + count[member], 0);
}
