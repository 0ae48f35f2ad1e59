/** Segments that a screen passes over. */
import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_BATCH_ROWS, type SegmentScreen, type SpanBatch } from './batch.ts';
import { type ColumnStore, openColumnStore } from './columns.fixture.ts';
import { ScreenMemory } from './segment-screen.ts';

let store: ColumnStore;
/** Names of the segments that the screen was asked of. */
let asked: (string | undefined)[];

beforeEach(async () => {
  store = await openColumnStore();
  asked = [];
  const rows = [0, 1, 2].flatMap((segment) =>
    [1, 2].map((place) => ({
      id: segment * MAX_BATCH_ROWS + place,
      name: `name ${segment}`,
      attributes: segment === 2 ? `{"rare":"x","at":${place}}` : '{}',
    })),
  );
  await store.insert(rows);
  await store.setNextRowId(3 * MAX_BATCH_ROWS);
  await store.build();
});

/** Where any row says so. */
function screen(key: string, says: (batch: SpanBatch) => boolean, attributes: readonly string[] = []): SegmentScreen {
  return {
    key,
    columns: attributes.length > 0 ? [] : ['name'],
    attributes,
    mayHold: (batch) => {
      asked.push(attributes.length > 0 ? undefined : batch.texts('name').values[1]);
      return says(batch);
    },
  };
}

const namedOne = () => screen('named one', (batch) => batch.texts('name').values.includes('name 1'));

async function rowIdsBy(by: SegmentScreen): Promise<readonly number[]> {
  const { rows } = await store.read({ projectRowId: 1 }, { columns: ['name', 'start_us'], screen: by });
  return [...rows.keys()];
}

const [SECOND, THIRD] = [MAX_BATCH_ROWS + 1, 2 * MAX_BATCH_ROWS + 1];

describe('a screen', () => {
  it('passes over segments, and is asked of each once', async () => {
    expect(await rowIdsBy(namedOne())).toEqual([SECOND, SECOND + 1]);
    expect(asked).toEqual(['name 0', 'name 1', 'name 2']);
    expect(await rowIdsBy(namedOne())).toEqual([SECOND, SECOND + 1]);
    expect(asked).toHaveLength(3);
    expect(await rowIdsBy(screen('none', () => false))).toEqual([]);
    expect(asked).toHaveLength(6);
  });

  it('leaves out no row that changed, and is asked again of what was built anew', async () => {
    await rowIdsBy(namedOne());
    await store.exec(`UPDATE spans SET name = 'name 1' WHERE id = ${THIRD}`);
    expect(await rowIdsBy(namedOne())).toEqual([SECOND, SECOND + 1, THIRD]);
    expect(asked).toHaveLength(3);
    await store.build([2]);
    expect(await rowIdsBy(namedOne())).toEqual([SECOND, SECOND + 1, THIRD, THIRD + 1]);
    expect(asked.slice(3)).toEqual(['name 1']);
  });

  it('sees attributes without a chunk of their own', async () => {
    const holds = (path: string) => screen(path, (batch) => batch.attribute(path).values.length > 1, [path]);
    expect(await rowIdsBy(holds('rare'))).toEqual([THIRD, THIRD + 1]);
    expect(await rowIdsBy(holds('none'))).toEqual([]);
  });

  it('counts what it passes over as looked at', async () => {
    const { rowCounts } = await store.read({ projectRowId: 1 }, { columns: ['name'], screen: namedOne() });
    expect(rowCounts).toEqual([0, 2, 0]);
  });
});

describe('what screens said', () => {
  const head = { segment: 7, build: 3, rowCount: 1, minStartUs: null, maxStartUs: null, projectRowIds: null };
  const batch = {} as SpanBatch;
  const never = (key: string): SegmentScreen => ({ key, columns: [], attributes: [], mayHold: () => false });

  it('is of one screen, segment and build', () => {
    const memory = new ScreenMemory();
    memory.open(never('a')).ask(head, batch);
    expect(memory.open(never('a')).recall(head)).toBe(false);
    expect(memory.open(never('b')).recall(head)).toBeUndefined();
    expect(memory.open(never('a')).recall({ ...head, build: 4 })).toBeUndefined();
    expect(memory.open(never('a')).recall({ ...head, segment: 8 })).toBeUndefined();
  });

  it('is forgotten, that of the screens first which were asked longest ago', () => {
    const memory = new ScreenMemory();
    for (const key of ['old', 'used']) memory.open(never(key)).ask(head, batch);
    for (let other = 0; other < 255; other++) {
      memory.open(never('used'));
      memory.open(never(`other ${other}`)).ask(head, batch);
    }
    expect(memory.open(never('used')).recall(head)).toBe(false);
    expect(memory.open(never('old')).recall(head)).toBeUndefined();
  });

  it('is bounded in segments, and in the size of keys', () => {
    const memory = new ScreenMemory();
    const [first, second] = [memory.open(never('first')), memory.open(never('second'))];
    for (const inUse of [first, second]) {
      for (let segment = 0; segment < 60_000; segment++) inUse.ask({ ...head, segment }, batch);
    }
    expect(memory.open(never('second')).recall({ ...head, segment: 59_999 })).toBe(false);
    expect(memory.open(never('first')).recall(head)).toBeUndefined();
    const long = never('x'.repeat(5000));
    memory.open(long).ask(head, batch);
    expect(memory.open(long).recall(head)).toBeUndefined();
  });
});
