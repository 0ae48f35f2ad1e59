import { describe, expect, it } from 'vitest';
import { ANONYMOUS, type Caller } from '#domain/caller';
import { userCaller } from '#domain/callers.fixture';
import type { GraphqlContext } from './context.ts';
import { defineQuestionLoader, defineRowLoader, loadOrThrow } from './row-loader.ts';
import { toTimeBounds } from './time-bounds.ts';

/** One operation. */
const operation = () => ({ loaders: new Map() }) as unknown as GraphqlContext;

interface Key {
  readonly rowId: number;
  readonly unit: string;
}

describe('a loader of rows', () => {
  it('reads for the caller of its operation', async () => {
    const read: [Caller, readonly number[]][] = [];
    const load = defineRowLoader(async (caller, rowIds) => {
      read.push([caller, rowIds]);
      return new Map(rowIds.map((rowId) => [rowId, rowId]));
    });
    const viewer = userCaller('viewer');
    await Promise.all([ANONYMOUS, viewer].map((caller) => load({ ...operation(), caller }, 5)));
    expect(read).toEqual([
      [ANONYMOUS, [5]],
      [viewer, [5]],
    ]);
  });
});

describe('a loader of questions', () => {
  it('reads at once what is asked alike, and once what is asked twice', async () => {
    const read: [readonly number[], string][] = [];
    const load = defineQuestionLoader(async (_caller, rowIds, { unit }: Omit<Key, 'rowId'>) => {
      read.push([rowIds, unit]);
      return new Map(rowIds.filter((rowId) => rowId < 9).map((rowId) => [rowId, `${rowId} ${unit}`]));
    });
    const context = operation();
    const asked = [
      { rowId: 1, unit: 'day' },
      { rowId: 2, unit: 'day' },
      { rowId: 1, unit: 'hour' },
      { rowId: 2, unit: 'day' },
      { rowId: 9, unit: 'day' },
    ];
    const found = await Promise.all(asked.map((key) => load(context, key)));
    expect(found).toEqual(['1 day', '2 day', '1 hour', '2 day', undefined]);
    expect(read).toEqual([
      [[1, 2, 9], 'day'],
      [[1], 'hour'],
    ]);
  });

  it.each([
    ['throws', () => raise('too far')],
    ['rejects', () => Promise.reject(new Error('too far'))],
  ])('has one question fail alone where the read %s', async (_how, fail) => {
    const load = defineQuestionLoader((_caller, rowIds, { unit }: Omit<Key, 'rowId'>) =>
      unit === 'year' ? fail() : Promise.resolve(new Map(rowIds.map((rowId) => [rowId, unit]))),
    );
    const context = operation();
    const asked = ['day', 'year', 'hour', 'year'].map((unit, rowId) => load(context, { rowId, unit }));
    expect(await Promise.allSettled(asked)).toMatchObject([
      { value: 'day' },
      { reason: { message: 'too far' } },
      { value: 'hour' },
      { reason: { message: 'too far' } },
    ]);
  });

  function raise(message: string): never {
    throw new Error(message);
  }
});

it('what must be there and is not is not found', async () => {
  const load = defineRowLoader(async () => new Map([[1, 'one']]));
  const context = operation();
  expect(await loadOrThrow(load, context, 1)).toBe('one');
  await expect(loadOrThrow(load, context, 2)).rejects.toMatchObject({ code: 'not_found' });
});

describe('the bounds of a range', () => {
  it.each([
    [undefined, undefined, undefined],
    [null, undefined, undefined],
    [{}, undefined, undefined],
    [{ start: null, end: 5 }, undefined, 5],
    [{ start: 0, end: null }, 0, undefined],
    [{ start: 5, end: 5 }, 5, 5],
    [{ start: -5, end: 0 }, -5, 0],
  ])('%j', (range, startTimeUs, endTimeUs) => {
    expect(toTimeBounds(range)).toEqual({ startTimeUs, endTimeUs });
  });

  it.each([
    { start: 1, end: 0 },
    { start: 0, end: -1 },
  ])('are none of %j', (range) => {
    expect(() => toTimeBounds(range)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
