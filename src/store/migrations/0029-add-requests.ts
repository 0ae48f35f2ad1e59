import type { SqlDialect } from '../dialect/dialect.ts';

/** Lets a log record tell something of the span of a call, beside the span whose ids it carries: by the id of the request that both name. */
export const name = '0029-add-requests';

export function statements({ define }: SqlDialect): readonly string[] {
  return [
    'ALTER TABLE log_records ADD COLUMN request_id TEXT',
    'ALTER TABLE log_records ADD COLUMN request_span_row_id INTEGER',
    'CREATE INDEX log_records_naming_request ON log_records (trace_id, request_id) WHERE request_id IS NOT NULL',
    `CREATE INDEX log_records_of_request ON log_records (request_span_row_id, time_us)
      WHERE request_span_row_id IS NOT NULL`,
  ].map(define);
}
