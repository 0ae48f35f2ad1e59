import type { Backlog, ContentCounts } from '#store/status/contents';
import type { DatabaseStatus } from '#store/status/database-status';
import type { SchemaStatus } from '#store/status/schema-status';
import { formatBytes } from './format-bytes.ts';

/** The status of a database for people, a line each. */
export function formatStatus({
  engine,
  location,
  serverCount,
  serverPids,
  schema,
  storage,
  contents,
}: DatabaseStatus): string {
  const { dataBytes, freeBytes, logBytes } = storage;
  const free = freeBytes === null ? '' : `, ${formatBytes(freeBytes)} of it free`;
  const log = logBytes === null ? '' : `; write-ahead log ${formatBytes(logBytes)}`;
  const rows = [
    ['Data', `${location} (${ENGINES[engine]})`],
    ['Server', describeServers(serverCount, serverPids)],
    ...describeSchema(schema),
    ['Size', `${formatBytes(dataBytes)}${free}${log}`],
    ...(contents === null
      ? [['Content', 'not read, because the schema belongs to another version']]
      : [...describeCounts(contents.counts), ['Background', describeBacklog(contents.backlog)]]),
  ];
  return rows.map(([name = '', value]) => `${name.padEnd(NAME_WIDTH)}${value}\n`).join('');
}

function describeServers(serverCount: number, pids: readonly number[]): string {
  if (serverCount === 0) return 'not running';
  if (pids.length > 0) return `process ${pids.join(', ')} has the data open`;
  return serverCount === 1 ? 'one server has the data open' : `${serverCount} servers have the data open`;
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const NAME_WIDTH = 13;

function describeSchema({ applied, pending, unknown }: SchemaStatus): string[][] {
  const last = applied.at(-1);
  const at = last === undefined ? '' : ` on ${new Date(last.appliedAtUs / 1000).toISOString()}`;
  return [
    ['Schema', last === undefined ? 'no schema change applied' : `${last.name}, applied${at}`],
    ...(pending.length === 0
      ? []
      : [['Pending', `${pending.join(', ')}: applied by the next start, or by cairn db migrate`]]),
    ...(unknown.length === 0 ? [] : [['Unknown', `${unknown.join(', ')}: from a newer version`]]),
  ];
}

function describeCounts({ projects, sessions, traces, spans, logRecords }: ContentCounts): string[][] {
  return [
    ['Projects', count(projects)],
    ['Sessions', count(sessions)],
    ['Traces', count(traces)],
    ['Spans', count(spans)],
    ['Log records', count(logRecords)],
  ];
}

function describeBacklog(backlog: Backlog): string {
  const parts = [
    describe(backlog.searchSpans, 'spans to index for search'),
    describe(backlog.searchFailures, 'spans that could not be indexed for search'),
    describe(backlog.columnSpans, 'spans to write to columns'),
    describe(backlog.compactionBlocks, 'blocks to check for compaction'),
    describe(backlog.deletions, 'deletions in progress'),
    describe(backlog.passes, 'passes over stored spans in progress'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing pending' : parts.join(', ');
}

function describe(value: number, what: string): string {
  return value === 0 ? '' : `${what}: ${count(value)}`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
