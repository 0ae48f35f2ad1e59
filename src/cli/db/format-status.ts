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
      ? [['Content', 'not read, because the schema is that of another version']]
      : [...describeCounts(contents.counts), ['Background', describeBacklog(contents.backlog)]]),
  ];
  return rows.map(([name = '', value]) => `${name.padEnd(NAME_WIDTH)}${value}\n`).join('');
}

function describeServers(serverCount: number, pids: readonly number[]): string {
  if (serverCount === 0) return 'none has it open';
  if (pids.length > 0) return `process ${pids.join(', ')} has it open`;
  return serverCount === 1 ? 'one has it open' : `${serverCount} have it open`;
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;
const NAME_WIDTH = 13;

function describeSchema({ applied, pending, unknown }: SchemaStatus): string[][] {
  const last = applied.at(-1);
  const at = last === undefined ? '' : ` on ${new Date(last.appliedAtUs / 1000).toISOString()}`;
  return [
    ['Schema', last === undefined ? 'nothing was applied' : `${last.name}, applied${at}`],
    ...(pending.length === 0 ? [] : [['Pending', `${pending.join(', ')}: the next start, or cairn db migrate`]]),
    ...(unknown.length === 0 ? [] : [['Unknown', `${unknown.join(', ')}: of a newer version`]]),
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
    describe(backlog.searchFailures, 'spans that no search can find'),
    describe(backlog.columnSpans, 'spans to keep column by column'),
    describe(backlog.compactionBlocks, 'blocks to look at for compaction'),
    describe(backlog.deletions, 'deletions under way'),
    describe(backlog.passes, 'passes over stored spans under way'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing waits' : parts.join(', ');
}

function describe(value: number, what: string): string {
  return value === 0 ? '' : `${what}: ${count(value)}`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
