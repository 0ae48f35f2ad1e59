import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { spanId, traceId } from '../../test/harness/otlp-json.ts';
import { openTestWriter, spansOf } from './logs/write/open-writer.fixture.ts';
import { damageLeaves, flipValue } from './sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from './sqlite/open-test-engine.fixture.ts';
import { verifyDatabase } from './verify-database.ts';
import { rebuildDamagedIndexes } from './rebuild-indexes.ts';

let folder: string;
let path: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-rebuild-'));
  path = join(folder, 'cairn.db');
  const filling = await openTestWriter({ engine: await openSqliteFileEngine(path) });
  for (let number = 1; number <= 3; number++) {
    const attributes = { 'session.id': `session-${number}` };
    await filling.writer.write([spansOf([{ traceId: traceId(number), spanId: spanId(number), attributes }])]);
  }
  // As if there were more than a million.
  await filling.exec('UPDATE traces SET id = 2000000 WHERE id = 3');
  await filling.exec('UPDATE spans SET trace_row_id = 2000000 WHERE trace_row_id = 3');
  await filling.exec('UPDATE blocks SET trace_row_id = 2000000 WHERE trace_row_id = 3');
  await filling.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('names the command for the index of a large table, which makes it again', async () => {
  flipValue(path, 'sqlite_autoindex_traces_1', Buffer.from(traceId(2)));
  flipValue(path, 'sessions_by_text', Buffer.from('session-2'));
  const verify = async () => {
    const { damage } = await verifyDatabase({ engine: 'sqlite', path, blockAboveBytes: null }, () => undefined);
    return damage.flatMap(({ index, message }) => (index === undefined ? [] : [`${index.name}: ${message}`]));
  };
  const ofSessions = /^sessions_by_text: .* lists may miss some\.$/;
  const ofTraces = /^sqlite_autoindex_traces_1: .*run `cairn db rebuild-indexes`, which makes it again\.$/;
  expect((await verify()).toSorted()).toEqual([expect.stringMatching(ofSessions), expect.stringMatching(ofTraces)]);
  expect(await rebuildDamagedIndexes(path)).toEqual({
    rebuilt: ['sqlite_autoindex_traces_1'],
    left: ['sessions_by_text'],
    unreadable: [],
  });
  expect(await verify()).toEqual([expect.stringMatching(ofSessions)]);
});

it('goes on beside a unique index that missed a row which was stored again, and a table that cannot be read', async () => {
  const damaged = join(folder, 'damaged.db');
  cpSync(path, damaged);
  flipValue(damaged, 'sqlite_autoindex_traces_1', Buffer.from(traceId(1)));
  const again = await openTestWriter({ engine: await openSqliteFileEngine(damaged) });
  await again.writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(1) }])]);
  await again.close();
  flipValue(damaged, 'spans_by_otel_id', Buffer.from(spanId(2)));
  damageLeaves(damaged, 'search_progress', [0]);
  const result = await rebuildDamagedIndexes(damaged);
  expect(result.rebuilt).toContain('spans_by_otel_id');
  expect(result.left).toContain('sqlite_autoindex_traces_1');
  expect(result.unreadable).toEqual(['search_progress']);
});
