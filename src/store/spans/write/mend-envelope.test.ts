import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spanId, traceId } from '../../../../test/harness/otlp-json.ts';
import { type Damage, listenForDamage } from '../../engine/damage.ts';
import { openTestWriter, spansOf, type TestWriter } from '../../logs/write/open-writer.fixture.ts';
import { damageLeaves, flipValue } from '../../sqlite/damaged-leaves.fixture.ts';
import { openSqliteFileEngine } from '../../sqlite/open-test-engine.fixture.ts';
import { readDecodedSpans } from '../rows/stored-spans.ts';
import { EnvelopeCache } from '../rows/envelope-cache.ts';
import { mendEnvelope } from './mend-envelope.ts';

const REQUEST = spansOf([{ traceId: traceId(1), spanId: spanId(1), name: 'one' }], {
  resource: { 'service.name': 'shop' },
  scope: 'checkout',
});

async function countWhole(store: TestWriter): Promise<number> {
  const rows = await store.rows(
    'SELECT id AS "rowId", otel_resource_id AS "otelResourceId", instrumentation_scope_id AS "instrumentationScopeId" FROM spans',
  );
  let count = 0;
  const scope = { ...store, envelopes: new EnvelopeCache() };
  for await (const _whole of readDecodedSpans(scope, rows as never, { onDamaged: () => undefined })) count++;
  return count;
}

it.for(['otel_resources', 'instrumentation_scopes'] as const)(
  'a damaged row of %s is mended when one of its spans is sent again',
  async (table) => {
    const store = await openTestWriter();
    await store.writer.write([REQUEST]);
    await store.db
      .updateTable(table)
      .set({ envelope: Buffer.from('damaged') })
      .execute();
    expect(await countWhole(store)).toBe(0);
    await store.writer.change((scope) => mendEnvelope(scope, { table, rowId: 1 }));
    await store.writer.write([REQUEST]);
    expect(await countWhole(store)).toBe(1);
    expect(await store.rows(`SELECT id FROM ${table}`)).toEqual([{ id: 1 }]);
    await store.close();
  },
);

it('one of which only the hash is damaged is mended at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-hash-'));
  const path = join(folder, 'cairn.db');
  try {
    const filling = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    await filling.writer.write([REQUEST]);
    const [row] = await filling.rows('SELECT hash FROM otel_resources');
    await filling.close();
    flipValue(path, 'otel_resources', row?.['hash'] as Uint8Array);
    const store = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    expect(await countWhole(store)).toBe(0);
    await store.writer.change((scope) =>
      mendEnvelope({ ...scope, rebuildIndexes: store.rebuildIndexes }, { table: 'otel_resources', rowId: 1 }),
    );
    expect(await countWhole(store)).toBe(1);
    expect(await store.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    await store.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('an index that leads to the row of another resource does not lead to its loss', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-index-'));
  const path = join(folder, 'cairn.db');
  const request = (place: number, span = place) =>
    spansOf([{ traceId: traceId(span), spanId: spanId(span), name: 'one' }], {
      resource: { 'service.name': `${place}` },
    });
  try {
    const filling = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    for (const place of [1, 2, 3]) await filling.writer.write([request(place)]);
    const rows = await filling.rows('SELECT hash, envelope FROM otel_resources ORDER BY id');
    await filling.close();
    // The row id follows the hash: 2 becomes 3.
    const entry = Buffer.concat([rows[1]?.['hash'] as Uint8Array, Buffer.of(2)]);
    flipValue(path, 'sqlite_autoindex_otel_resources_1', entry, entry.length - 1);
    const store = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    const noted: Damage[] = [];
    listenForDamage((damage) => noted.push(damage));
    await expect(store.writer.write([request(2, 4)])).rejects.toThrow('could not be stored');
    expect(await store.rows('SELECT hash, envelope FROM otel_resources ORDER BY id')).toEqual(rows);
    store.rebuildIndexes?.(noted[0]?.index?.name ?? '');
    await store.writer.write([request(2, 4)]);
    expect(await countWhole(store)).toBe(4);
    await store.close();
  } finally {
    listenForDamage(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
});

it('pages of resources that cannot be read cost the spans that share them alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-damaged-resources-'));
  const path = join(folder, 'cairn.db');
  const noted: Damage[] = [];
  listenForDamage((damage) => noted.push(damage));
  try {
    const filling = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    for (let number = 1; number <= RESOURCES; number++) {
      const spans = [{ traceId: traceId(number), spanId: spanId(number), name: 'one' }];
      const resource = { 'service.name': `shop ${number}`, 'service.description': 'sells '.repeat(100) };
      await filling.writer.write([spansOf(spans, { resource })]);
    }
    await filling.close();
    damageLeaves(path, 'otel_resources', [0.5]);
    const store = await openTestWriter({ engine: await openSqliteFileEngine(path) });
    const whole = await countWhole(store);
    expect(whole).toBeGreaterThan(RESOURCES / 2);
    expect(whole).toBeLessThan(RESOURCES);
    const ofResources = noted.filter(({ message }) => /^The stored resource \d+ cannot be read/.test(message));
    expect(ofResources).toHaveLength(RESOURCES - whole);
    await store.close();
  } finally {
    listenForDamage(() => undefined);
    rmSync(folder, { recursive: true, force: true });
  }
});

const RESOURCES = 40;
