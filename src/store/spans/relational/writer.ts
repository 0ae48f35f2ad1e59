/** Group commit: several requests in one transaction, each in a savepoint, acknowledged after the one sync. */
import { CompiledQuery, type Kysely } from 'kysely';
import { AppError } from '#base/errors';
import type { NormalizedRequest, NormalizedSpan, Rejection } from '#normalize/normalized';
import type { CompactionPlan } from '../../compaction/plan.ts';
import { swapBlocks } from '../../compaction/queue.ts';
import type { SqlDialect } from '../../dialect/dialect.ts';
import type { Tables } from '../../schema/tables.ts';
import type { SpanWriter, WriteOutcome } from '../../writer-port.ts';
import type { BulkInsert } from './bulk-insert.ts';
import { LedgerEntries } from './ledger.ts';
import { Registry } from './registry.ts';
import { type ProjectCount, type WriteScope, writeRequest } from './request-writer.ts';
import { RowIds } from './row-ids.ts';

/** What the writer stands on. */
export interface WriterOptions {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly bulkInsert: BulkInsert;
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

  async write(requests: readonly NormalizedRequest[]): Promise<readonly WriteOutcome[]> {
    try {
      return await this.#transact(async (db) => {
        const scope: WriteScope = { ...this.#options, db, registry: this.#registry, rowIds: this.#rowIds };
        const ledger = new LedgerEntries();
        const outcomes: WriteOutcome[] = [];
        for (const request of requests) outcomes.push(await this.#store(scope, ledger, request));
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

  /** One request; where it fails as a whole each span is tried alone, so that a bad one costs only itself. */
  async #store(scope: WriteScope, ledger: LedgerEntries, request: NormalizedRequest): Promise<WriteOutcome> {
    const rejected: Rejection[] = [...request.rejected];
    let counts: readonly ProjectCount[];
    try {
      counts = await this.#inSavepoint(scope, request.spans);
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      counts = await this.#storeOneByOne(scope, request.spans, rejected);
    }
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
    };
  }

  async #storeOneByOne(scope: WriteScope, spans: readonly NormalizedSpan[], rejected: Rejection[]) {
    const counts: ProjectCount[] = [];
    for (const span of spans) {
      try {
        counts.push(...(await this.#inSavepoint(scope, [span])));
      } catch (error) {
        if (isStorageFailure(error)) throw error;
        this.#options.onError('a span could not be stored', error);
        const message = `Span ${span.span.spanId} could not be stored; the server's log says why.`;
        rejected.push({ reason: 'unstorable', message });
      }
    }
    return counts;
  }

  async #inSavepoint(scope: WriteScope, spans: readonly NormalizedSpan[]): Promise<readonly ProjectCount[]> {
    if (spans.length === 0) return [];
    await scope.db.executeQuery(SAVEPOINT);
    try {
      const counts = await writeRequest(scope, spans);
      await scope.db.executeQuery(RELEASE);
      return counts;
    } catch (error) {
      if (!isStorageFailure(error)) {
        await scope.db.executeQuery(ROLL_BACK);
        await scope.db.executeQuery(RELEASE);
        this.#registry.forget();
      }
      throw error;
    }
  }
}

const SAVEPOINT = CompiledQuery.raw('SAVEPOINT request');
const RELEASE = CompiledQuery.raw('RELEASE request');
const ROLL_BACK = CompiledQuery.raw('ROLLBACK TO request');

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

function sum(counts: readonly ProjectCount[], member: 'stored' | 'replaced' | 'duplicate'): number {
  return counts.reduce((total, count) => total + count[member], 0);
}
