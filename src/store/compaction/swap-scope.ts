import type { Kysely } from 'kysely';
import type { SqlDialect } from '../dialect/dialect.ts';
import type { Tables } from '../schema/tables.ts';
import type { BulkInsert } from '../schema/statements.ts';

/** What swapping works with; the handle is that of the transaction. */
export interface SwapScope {
  readonly db: Kysely<Tables>;
  readonly dialect: SqlDialect;
  readonly bulkInsert: BulkInsert;
  readonly takeBlockId: () => number;
}
