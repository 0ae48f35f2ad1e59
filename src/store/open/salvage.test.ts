import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../test/harness/otlp-json.ts';
import { openTestWriter, recordsOf, spansOf } from '../logs/write/open-writer.fixture.ts';
import { openSqliteFileEngine } from '../sqlite/open-test-engine.fixture.ts';
import { salvageDataFile } from './salvage.ts';

/** Runs a test in a folder of its own. */
async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-salvage-'));
  try {
    await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

it('gives no number of a block out twice, where what says which is next is lost', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'damaged.db');
    const source = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    await source.writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(1) }])]);
    // Blocks of log records are numbered among those of spans.
    await source.writer.write([recordsOf([{ traceId: traceId(1), spanId: spanId(1), body: 'a line' }])]);
    await source.exec('DELETE FROM row_ids; DELETE FROM compaction_queue');
    await source.close();
    const target = join(folder, 'whole.db');
    await salvageDataFile(path, target);
    const salvaged = await openTestWriter({ engine: await openSqliteFileEngine(target) });
    await salvaged.writer.write([spansOf([{ traceId: traceId(1), spanId: spanId(2) }])]);
    const ids = await salvaged.rows('SELECT id FROM blocks UNION ALL SELECT id FROM log_record_blocks ORDER BY id');
    expect(ids).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    await salvaged.close();
  });
});

it('names spans that are not found though their place in a block is known, and verifies the new file from its beginning', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'damaged.db');
    const source = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    const spans = [1, 2, 3].map((number) => ({ traceId: traceId(1), spanId: spanId(number) }));
    await source.writer.write([spansOf(spans)]);
    await source.exec(`DELETE FROM spans WHERE id = 2;
      UPDATE jobs SET progress = json_set(progress, '$.startedAtUs', 1) WHERE kind = 'verification'`);
    await source.close();
    const target = join(folder, 'whole.db');
    const tables = await salvageDataFile(path, target);
    expect(tables.find(({ name }) => name === 'spans')).toMatchObject({ rowCount: 2, lost: [], missing: [2] });
    const salvaged = await openTestWriter({ engine: await openSqliteFileEngine(target) });
    expect(await salvaged.rows('SELECT span_row_id FROM span_locations')).toEqual([
      { span_row_id: 1 },
      { span_row_id: 3 },
    ]);
    const [job] = await salvaged.rows(
      `SELECT json_extract(progress, '$.startedAtUs') AS at FROM jobs WHERE kind = 'verification'`,
    );
    expect(job).toEqual({ at: null });
    await salvaged.close();
  });
});

it('says that a file is no database', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'README.md');
    writeFileSync(path, 'a text that is long enough to be taken for the head of a database '.repeat(20));
    const salvaging = salvageDataFile(path, join(folder, 'whole.db'));
    await expect(salvaging).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringContaining('cannot be read as a database') as string,
    });
    expect(readdirSync(folder)).toEqual(['README.md']);
  });
});
