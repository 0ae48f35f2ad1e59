import { describe, expect, it } from 'vitest';
import { MAX_BATCH_ROWS } from './batch.ts';
import { openColumnStore, type TestRow } from './columns.fixture.ts';

const PROJECT = { projectRowId: 1 };

/** A segment of rows with attributes, and what it takes on disk. */
async function sealed(rowCount: number, row: (place: number) => Omit<TestRow, 'id'>) {
  const store = await openColumnStore();
  await store.insert(Array.from({ length: rowCount }, (_, place) => ({ ...row(place), id: place + 1 })));
  await store.setNextRowId(MAX_BATCH_ROWS);
  await store.build();
  const [size] = await store.rows('SELECT count(*) AS chunks, sum(length(data)) AS bytes FROM span_segment_columns');
  return { store, chunks: Number(size?.['chunks']), bytes: Number(size?.['bytes']) };
}

describe('the attributes of a segment', () => {
  it('have a bounded number of chunks, however many keys there are, and are exact or uncertain', async () => {
    const rowCount = 100;
    const { store, chunks } = await sealed(rowCount, (place) => {
      const keys = Array.from({ length: 100 }, (_, n) => [`k${(place * 37 + n * 53) % 3000}`, place] as const);
      return { attributes: JSON.stringify(Object.fromEntries(keys)) };
    });
    expect(chunks).toBeLessThan(330);
    const paths = ['k0', 'k53', 'k1000', 'k2999'];
    const { rows } = await store.read(PROJECT, { attributes: paths });
    for (const path of paths) {
      for (const [rowId, row] of rows) {
        const place = rowId - 1;
        const held = Array.from({ length: 100 }, (_, n) => `k${(place * 37 + n * 53) % 3000}`).includes(path);
        const { value, isUncertain } = row[`@${path}`] as { value: unknown; isUncertain: boolean };
        expect(isUncertain || value === (held ? place : undefined)).toBe(true);
      }
    }
  });

  it('share a chunk where few rows have them', async () => {
    const { store, chunks } = await sealed(64, (place) => ({
      attributes: JSON.stringify({ all: place, [`own${place}`]: true }),
    }));
    expect(chunks).toBeLessThan(30);
    const { rows } = await store.read(PROJECT, { attributes: ['all', 'own5'] });
    const held = [...rows].filter(([, row]) => (row['@own5'] as { value: unknown }).value === true);
    expect(held.map(([rowId]) => rowId)).toEqual([6]);
  });

  it('are cut where keys are endless, so that originals decide', async () => {
    const long = 'x'.repeat(2000);
    const { store, bytes } = await sealed(40, (place) => ({
      attributes: JSON.stringify({ [`${long}${place}`]: 1, [Array(500).fill('a').join('.')]: 1, short: 1 }),
      omitted_attributes: JSON.stringify([`${long}${place}.`]),
    }));
    expect(bytes).toBeLessThan(20_000);
    const { rows } = await store.read(PROJECT, { attributes: ['short', `${long}7`, 'none'] });
    for (const row of rows.values()) {
      expect(row['@short']).toEqual({ value: 1, isUncertain: false, isLeftOut: false });
      expect(row['@none']).toEqual({ value: undefined, isUncertain: true, isLeftOut: false });
    }
  });
});
