/** What among the log records of a data file contradicts something else in it, as questions whose answer must be nothing. */
export const LOG_CONTRADICTIONS: Readonly<Record<string, string>> = {
  'a log record without its original': `SELECT record.id FROM log_records AS record
    LEFT JOIN log_record_blocks AS block ON block.id = block_id
    WHERE block.id IS NULL OR block.trace_id IS NOT record.trace_id OR ordinal >= record_count`,
  'a block that miscounts its log records': `SELECT block.id FROM log_record_blocks AS block
    WHERE live_count = 0 OR live_count <> (SELECT count(*) FROM log_records WHERE block_id = block.id)`,
  'a log record of a span that is not there': `SELECT id FROM log_records
    WHERE span_row_id NOT IN (SELECT id FROM spans)`,
  'a log record that waits for a span that is there': `SELECT record.id FROM log_records AS record
    JOIN traces ON traces.trace_id = record.trace_id
    JOIN spans ON spans.trace_row_id = traces.id AND spans.span_id = record.span_id
    WHERE span_row_id IS NOT spans.id`,
  'a ledger that counts other log records': `SELECT stored, present FROM
    (SELECT coalesce(sum(CASE outcome WHEN 'expired' THEN -item_count ELSE item_count END), 0) AS stored
      FROM ingest_ledger WHERE signal = 'logs' AND outcome IN ('stored', 'expired')),
    (SELECT count(*) AS present FROM log_records)
    WHERE stored <> present`,
};
