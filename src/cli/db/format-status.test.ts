import { expect, it } from 'vitest';
import type { DatabaseStatus } from '#store/status/database-status';
import { formatBytes } from './format-bytes.ts';
import { formatStatus } from './format-status.ts';

const STATUS: DatabaseStatus = {
  engine: 'sqlite',
  location: '/data/cairn.db',
  serverCount: 0,
  serverPids: [],
  schema: {
    applied: [{ name: '0001-create-telemetry', appliedAtUs: 1_700_000_000_000_000 }],
    pending: [],
    unknown: [],
  },
  storage: { dataBytes: 5_000_000, freeBytes: 0, logBytes: 0 },
  contents: {
    counts: { projects: 1, sessions: 2, traces: 3, spans: 12_345, logRecords: 0 },
    backlog: { searchSpans: 7, searchFailures: 0, columnSpans: 0, compactionBlocks: 0, deletions: 1, passes: 0 },
  },
};

it('says in a line each how the data stand, and what waits', () => {
  expect(formatStatus(STATUS)).toBe(`Data         /data/cairn.db (SQLite)
Server       not running
Schema       0001-create-telemetry, applied on 2023-11-14T22:13:20.000Z
Size         4.77 MiB, 0 B of it free; write-ahead log 0 B
Projects     1
Sessions     2
Traces       3
Spans        12,345
Log records  0
Background   spans to index for search: 7, deletions in progress: 1
`);
});

it('names changes of the schema that are pending or unknown, and reads no content then', () => {
  const schema = { applied: [], pending: ['0002-add-columns'], unknown: ['9999-later'] };
  const text = formatStatus({ ...STATUS, schema, serverCount: 1, serverPids: [7], contents: null });
  expect(text).toContain('process 7 has the data open');
  expect(text).toContain('Pending      0002-add-columns: applied by the next start, or by cairn db migrate');
  expect(text).toContain('Unknown      9999-later: from a newer version');
  expect(text).toContain('not read, because the schema belongs to another version');
});

it('says how many servers there are where their processes are not known', () => {
  expect(formatStatus({ ...STATUS, serverCount: 1 })).toContain('Server       one server has the data open');
  expect(formatStatus({ ...STATUS, serverCount: 3 })).toContain('Server       3 servers have the data open');
});

it('gives sizes three digits that count', () => {
  expect([0, 999, 1000, 1024 ** 2, 2.5 * 1024 ** 3, 1024 ** 5].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '0.977 KiB',
    '1.00 MiB',
    '2.50 GiB',
    '1024 TiB',
  ]);
});
