import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { normalizeRequest } from '#normalize/normalize-request';
import { transcodeJsonRequest } from '#otlp/json/transcode';
import { decodeExportTraceRequest } from '#otlp/protobuf/request';
import { spanId, type TestLogRecord, type TestSpan, traceBody, traceId } from '../../../test/harness/otlp-json.ts';
import { openTestWriter, recordsOf } from '../logs/write/open-writer.fixture.ts';
import { deleteUnusedDictionaries } from '../blocks/stored-blocks.ts';
import { type Damage, listenForDamage } from '../engine/damage.ts';
import { readSpanRecords } from '../logs/rows/read-records.ts';
import { toIncoming } from '../incoming/request.ts';
import { readOriginals } from '../spans/rows/originals.ts';
import { addDictionary, type NewDictionary, planDictionary } from './dictionaries.ts';
import { planCompaction } from './plan.ts';
import { findQuietTraces, readLastBlockId } from './queue.ts';

type Opened = Awaited<ReturnType<typeof open>>;
let store: Opened;

beforeEach(async () => {
  store = await open();
});

describe('compaction', () => {
  const turn = (number: number): TestSpan => ({
    spanId: spanId(number),
    attributes: { 'input.value': Array.from({ length: number }, (_, n) => `turn ${n}: ${'x'.repeat(200)}`).join('\n') },
  });

  it('packs the blocks of a trace into one that is far smaller, and every original stays to the byte', async () => {
    for (let number = 1; number <= 40; number++) await store.send([turn(number)]);
    const before = await store.originals();
    const plan = await planCompaction(store.db, store.dialect, 1);
    expect(plan.spans.sources).toHaveLength(40);
    expect(plan.bytesAfter).toBeLessThan(plan.bytesBefore / 5);
    expect(await store.writer.compact([plan])).toEqual([true]);
    expect(await store.blockCount()).toBe(1);
    expect(await store.originals()).toEqual(before);
    expect(await store.queueLength()).toBe(0);
  });

  it('looks at a trace only when nothing was added since the block named', async () => {
    await store.send([turn(1)]);
    await store.send([turn(2)]);
    const quiet = await readLastBlockId(store.db);
    expect(await findQuietTraces(store.db, store.dialect, quiet)).toEqual([1]);
    await store.send([turn(3)]);
    expect(await findQuietTraces(store.db, store.dialect, quiet)).toEqual([]);
    expect(await findQuietTraces(store.db, store.dialect, await readLastBlockId(store.db))).toEqual([1]);
  });

  it('packs a single block as well as it can, once', async () => {
    await store.send([turn(1), turn(2), turn(3)]);
    const before = await store.originals();
    const plan = await planCompaction(store.db, store.dialect, 1);
    expect(plan.bytesAfter).toBeLessThan(plan.bytesBefore);
    expect(await store.writer.compact([plan])).toEqual([true]);
    expect(await store.originals()).toEqual(before);
    expect(await findQuietTraces(store.db, store.dialect, 100)).toEqual([]);
    expect((await planCompaction(store.db, store.dialect, 1)).spans.packed).toEqual([]);
  });

  it('packs short traces with what many of their project have in common, and in pieces', async () => {
    const words = Array.from({ length: 400 }, (_, n) => `phrase number ${(n * 7919) % 1000} of all`);
    const text = (trace: number) => words.filter((_, n) => (n * trace) % 7 < 3).join(' ');
    const secret = (trace: number) => createHash('sha256').update(`${trace}`).digest('hex');
    const count = 70;
    for (let number = 1; number <= count; number++) {
      await store.send([
        {
          traceId: traceId(number),
          spanId: spanId(number),
          attributes: { 'input.value': `${text(number)} ${secret(number)}` },
        },
      ]);
    }
    const before = await store.originals();
    const alone = await planCompaction(store.db, store.dialect, 3);
    const dictionary = await planDictionary(store.db, store.dialect, 1000);
    expect(dictionary?.projectRowId).toBe(1);
    const learnt = Buffer.from(dictionary?.data ?? []).toString('latin1');
    expect(learnt).toContain('phrase number');
    for (let number = 1; number <= count; number++) expect(learnt).not.toContain(secret(number).slice(0, 8));
    await store.writer.change((scope) => addDictionary(scope.db, dictionary as NewDictionary));
    expect(await planDictionary(store.db, store.dialect, 1000)).toBeUndefined();
    // Nothing is packed with it yet.
    await store.writer.change((scope) => deleteUnusedDictionaries(scope.db).execute());
    expect(await planDictionary(store.db, store.dialect, 1000)).toBeUndefined();
    const together = await planCompaction(store.db, store.dialect, 3);
    expect(together.bytesAfter).toBeLessThan(alone.bytesAfter * 0.9);
    for (let trace = 1; trace <= count; trace++) {
      expect(await store.writer.compact([await planCompaction(store.db, store.dialect, trace)])).toEqual([true]);
    }
    expect(await store.originals()).toEqual(before);
    // They are packed again with what comes later, and leave nothing behind.
    await store.send([{ traceId: traceId(3), spanId: spanId(999), attributes: { 'input.value': text(3) } }]);
    const all = await store.originals();
    expect(await store.writer.compact([await planCompaction(store.db, store.dialect, 3)])).toEqual([true]);
    expect(await store.originals()).toEqual(all);
    expect(await store.strayPieceCount()).toBe(0);
  });

  it('takes in what arrives later', async () => {
    for (const number of [1, 2, 3]) await store.send([turn(number)]);
    await store.writer.compact([await planCompaction(store.db, store.dialect, 1)]);
    await store.send([turn(4)]);
    await store.writer.compact([await planCompaction(store.db, store.dialect, 1)]);
    expect(await store.blockCount()).toBe(1);
    expect((await store.originals()).size).toBe(4);
  });

  it('drops what was replaced', async () => {
    await store.send([turn(1), turn(2)]);
    await store.send([{ ...turn(1), name: 'replaced' }]);
    const before = await store.originals();
    await store.writer.compact([await planCompaction(store.db, store.dialect, 1)]);
    expect(await store.blockCount()).toBe(1);
    expect(await store.originals()).toEqual(before);
  });

  it('is void when a block changed since it was planned', async () => {
    await store.send([turn(1), turn(2)]);
    await store.send([turn(3)]);
    const plan = await planCompaction(store.db, store.dialect, 1);
    await store.send([{ ...turn(1), name: 'replaced meanwhile' }]);
    const before = await store.originals();
    expect(await store.writer.compact([plan])).toEqual([false]);
    expect(await store.originals()).toEqual(before);
    expect(await findQuietTraces(store.db, store.dialect, 100)).toEqual([1]);
  });

  it('packs the log records of a trace as well, those that came before it included', async () => {
    const details = (number: number): TestLogRecord => ({
      traceId: traceId(1),
      spanId: spanId(number),
      eventName: 'gen_ai.client.inference.operation.details',
      attributes: turn(number).attributes ?? {},
    });
    for (let number = 1; number <= 10; number++) await store.sendLogs([details(number)]);
    for (let number = 1; number <= 20; number++) await store.send([turn(number)]);
    for (let number = 11; number <= 20; number++) await store.sendLogs([details(number)]);
    const before = await store.records();
    expect([before.size, await store.recordBlockCount()]).toEqual([20, 20]);
    const plan = await planCompaction(store.db, store.dialect, 1);
    expect(plan.records.sources).toHaveLength(20);
    expect(await store.writer.compact([plan])).toEqual([true]);
    expect([await store.recordBlockCount(), await store.blockCount(), await store.queueLength()]).toEqual([1, 1, 0]);
    expect(await store.records()).toEqual(before);
    await store.sendLogs([{ ...details(1), timeUs: 7 }]);
    expect(await findQuietTraces(store.db, store.dialect, await readLastBlockId(store.db))).toEqual([1]);
    const next = await planCompaction(store.db, store.dialect, 1);
    await store.sendLogs([{ ...details(1), timeUs: 8 }]);
    expect(await store.writer.compact([next])).toEqual([true]);
    expect((await store.records()).get(1)).toHaveLength(3);
  });

  it('takes a large trace in steps, each of them bounded', async () => {
    for (let number = 1; number <= 700; number += 10) await store.send(spansFrom(number, 10));
    const before = await store.originals();
    let steps = 0;
    while ((await findQuietTraces(store.db, store.dialect, 100_000)).length > 0) {
      const plan = await planCompaction(store.db, store.dialect, 1);
      expect(plan.spans.packed.flatMap((block) => block.rowIds).length).toBeLessThanOrEqual(500);
      await store.writer.compact([plan]);
      steps++;
    }
    expect(steps).toBeGreaterThan(1);
    expect(await store.blockCount()).toBeLessThanOrEqual(2);
    expect(await store.originals()).toEqual(before);
  });
  it('packs two requests that hold more together than one step takes otherwise', async () => {
    await store.send(spansFrom(1, 1000));
    await store.send(spansFrom(1001, 2000));
    const before = await store.originals();
    expect(await packAll()).toBe(1);
    expect([await store.blockCount(), await store.queueLength()]).toEqual([1, 0]);
    expect(await store.originals()).toEqual(before);
  });

  it('packs log records as far, too', async () => {
    const recordsFrom = (first: number, count: number) =>
      Array.from({ length: count }, (_, place) => ({ traceId: traceId(1), timeUs: first + place }));
    await store.send([turn(1)]);
    await store.sendLogs(recordsFrom(1, 400));
    await store.sendLogs(recordsFrom(401, 300));
    await packAll();
    expect([await store.recordBlockCount(), await store.queueLength()]).toEqual([1, 0]);
  });

  it('goes through a large trace at once, though each step leaves a newer block', async () => {
    for (const first of [1, 301, 601]) await store.send(spansFrom(first, 300));
    expect(await packAll(await readLastBlockId(store.db))).toBe(2);
    expect([await store.blockCount(), await store.queueLength()]).toEqual([1, 0]);
  });

  it('finds a quiet trace behind all that waits for one that grows', async () => {
    await store.exec(`INSERT INTO compaction_queue
      WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 4500) SELECT id + 1000, 1 FROM n`);
    await store.exec(`INSERT INTO compaction_queue VALUES (9000, 2), (9999, 1)`);
    await store.exec(
      `INSERT INTO blocks (id, trace_row_id, span_count, live_count, raw_bytes, data) VALUES (9999, 1, 1, 1, 1, '')`,
    );
    expect(await findQuietTraces(store.db, store.dialect, 9500)).toEqual([2]);
  });

  it('waits no more for blocks that are gone, or another trace has by now', async () => {
    await store.send([turn(1)]);
    await store.exec(`INSERT INTO compaction_queue VALUES (100, 1), (101, 77)`);
    await packAll();
    expect(await store.queueLength()).toBe(0);
  });

  it('leaves a block that cannot be read, and packs the others', async () => {
    for (const number of [1, 2, 3]) await store.send([turn(number)]);
    await store.exec(`UPDATE blocks SET data = substr(data, 1, 5) WHERE id = 2`);
    const noted: Damage[] = [];
    listenForDamage((damage) => noted.push(damage));
    const plan = await planCompaction(store.db, store.dialect, 1);
    expect(plan.spans.sources.map(({ id }) => id)).toEqual([1, 3]);
    expect(noted).toMatchObject([{ kind: 'span', spans: [{ spanId: spanId(2) }] }]);
    await packAll();
    expect([await store.blockCount(), await store.queueLength()]).toEqual([2, 0]);
  });

  it('leaves a block of which not all spans are found, since their originals would be lost', async () => {
    await store.send([turn(1), turn(2)]);
    for (const number of [3, 4]) await store.send([turn(number)]);
    await store.exec('DELETE FROM span_locations WHERE block_id = 1 AND ordinal = 0');
    await store.exec('DELETE FROM span_locations WHERE block_id = 3');
    await packAll();
    expect(await store.rows('SELECT live_count FROM blocks ORDER BY id')).toEqual(
      [2, 1, 1].map((live_count) => ({ live_count })),
    );
  });

  const spansFrom = (first: number, count: number) =>
    Array.from({ length: count }, (_, place) => ({ spanId: spanId(first + place) }));

  /** Goes on until nothing is left to do; every step but one that another has overtaken changes something. */
  async function packAll(quiet = 100_000): Promise<number> {
    for (let steps = 0; ; steps++) {
      const [trace] = await findQuietTraces(store.db, store.dialect, quiet);
      if (trace === undefined) return steps;
      const plan = await planCompaction(store.db, store.dialect, trace);
      expect(await store.writer.compact([plan])).toEqual([true]);
    }
  }
});

async function open() {
  const { db, dialect, writer, exec, rows } = await openTestWriter();
  const count = async (table: 'blocks' | 'log_record_blocks' | 'compaction_queue') =>
    (await db.selectFrom(table).select(db.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
  return {
    db,
    dialect,
    writer,
    exec,
    rows,
    async send(spans: readonly TestSpan[]) {
      const context = { receivedUnixNano: 1n, projectOverride: null, defaultProject: 'default' };
      const request = decodeExportTraceRequest(transcodeJsonRequest(traceBody(spans)));
      await writer.write([toIncoming(normalizeRequest(request, context))]);
    },
    async strayPieceCount() {
      const blocks = db.selectFrom('blocks').select('id');
      const { n } = await db
        .selectFrom('block_pieces')
        .select(db.fn.countAll<number>().as('n'))
        .where('block_id', 'not in', blocks)
        .executeTakeFirstOrThrow();
      return n;
    },
    async sendLogs(records: readonly TestLogRecord[]) {
      await writer.write([recordsOf(records)]);
    },
    /** What is said of each span. */
    async records() {
      const rows = await db.selectFrom('spans').select('id').execute();
      return readSpanRecords(
        db,
        dialect,
        rows.map((row) => row.id),
      );
    },
    blockCount: () => count('blocks'),
    recordBlockCount: () => count('log_record_blocks'),
    queueLength: () => count('compaction_queue'),
    async originals() {
      const rows = await db.selectFrom('spans').select('id').execute();
      const originals = await readOriginals(
        db,
        dialect,
        rows.map((row) => row.id),
      );
      return new Map([...originals].map(([id, bytes]) => [id, Buffer.from(bytes).toString('base64')]));
    },
  };
}
