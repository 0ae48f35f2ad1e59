import type { EnvelopeCache } from '../../spans/rows/envelope-cache.ts';
import type { QueryScope } from '../../queries/prepared-query.ts';
import type { Registry } from '../../spans/write/registry.ts';
import type { RowIds } from '../../spans/write/row-ids.ts';
import type { RecordPresence } from './presence.ts';
import type { BulkInsert, BulkUpdate } from '../../schema/statements.ts';

/** What writing log records works with; the handle is that of the transaction. */
export interface RecordScope extends QueryScope {
  readonly bulkInsert: BulkInsert;
  readonly bulkUpdate: BulkUpdate;
  readonly registry: Registry;
  readonly rowIds: RowIds;
  readonly envelopes: EnvelopeCache;
  readonly presence: RecordPresence;
}
