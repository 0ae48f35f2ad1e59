import fc from 'fast-check';
import { DummyDriver, Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../../../test/harness/test-engine.ts';
import { postgresDialect } from '../dialect/postgres.ts';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import type { TestEngine } from '../engine/test-engine.fixture.ts';
import type { Tables } from '../schema/tables.ts';
import { type CountedHandle, countStatements } from './count-statements.fixture.ts';
import { PINNED, PINNED_SETS, Pins } from './pins.fixture.ts';
import { SetMembers } from './set-members.ts';

let engine: TestEngine;
let counted: CountedHandle;

/** Few and far apart; thousands side by side, twice; and both. */
const MEMBERS: Readonly<Record<string, readonly number[]>> = {
  rare: [5, 70_000, 70_001, 3_000_000],
  common: Array.from({ length: 12_000 }, (_, place) => 1000 + place),
  mixed: [1, ...Array.from({ length: 5000 }, (_, place) => 40_000 + place * 2), 9_000_000_000],
  none: [],
};

beforeAll(async () => {
  engine = await openTestEngine();
  counted = countStatements(engine.db);
  const pins = await Pins.create(engine);
  for (const [label, rowIds] of Object.entries(MEMBERS)) await pins.add('span', label, rowIds);
  await pins.add('span', 'common', (MEMBERS['common'] ?? []).slice(0, 3000));
  // What is of something else is not in the set.
  await pins.add('trace', 'rare', [6]);
});

afterAll(() => engine.close());

function open(label: string): SetMembers {
  const scope = { db: counted.db, dialect: engine.dialect, sets: PINNED_SETS };
  return new SetMembers(scope, PINNED.span.leaf({ label }).set);
}

describe('members of a set', () => {
  const rowId = fc.oneof(fc.nat(13_000), fc.integer({ min: 39_000, max: 71_000 }), fc.nat(3_100_000));
  const range = fc
    .tuple(rowId, fc.integer({ min: 1, max: 6000 }))
    .map(([from, length]) => ({ from, end: from + length }));
  const step = fc.oneof(
    fc.array(rowId, { maxLength: 40 }).map((rowIds) => ({ look: [...new Set(rowIds)].sort((a, b) => a - b) })),
    range.map((cover) => ({ cover })),
    fc.tuple(range, fc.constantFrom(0, 3, 5000)).map(([list, limit]) => ({ list, limit })),
  );

  it('are those of the table, in whatever order they are asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(MEMBERS)),
        fc.array(step, { maxLength: 8 }),
        async (label, steps) => {
          const all = MEMBERS[label] ?? [];
          const held = new Set(all);
          const members = open(label);
          for (const asked of steps) {
            if ('look' in asked) {
              const known = await members.look(asked.look);
              expect(asked.look.filter((one) => known.has(one))).toEqual(asked.look.filter((one) => held.has(one)));
            } else {
              const { from, end } = 'cover' in asked ? asked.cover : asked.list;
              const inside = all.filter((one) => one >= from && one < end);
              if ('cover' in asked) {
                await members.cover(asked.cover);
                expect(members.isKnown(asked.cover)).toBe(true);
                expect(members.countKnown(asked.cover)).toBe(inside.length);
              } else {
                const listed = await members.list(asked.list, asked.limit);
                if (inside.length > asked.limit) expect(listed).toBeNull();
                // One that is there twice may be taken for too many.
                else if (listed !== null) expect(listed.toSorted((a, b) => a - b)).toEqual(inside);
              }
            }
          }
        },
      ),
      { numRuns: runsOf(100) },
    );
  });

  it.each(['up', 'down'])('are asked for with few statements on the way %s', async (way) => {
    const walk = async (label: string) => {
      const members = open(label);
      counted.take();
      for (let place = 0; place < 24; place++) {
        const segment = way === 'up' ? place : 23 - place;
        await members.cover({ from: segment * 4096, end: (segment + 1) * 4096 });
      }
      return counted.take();
    };
    expect((await walk('rare')).statementCount).toBeLessThanOrEqual(2);
    expect((await walk('none')).statementCount).toBeLessThanOrEqual(2);
    const common = await walk('common');
    expect(common.statementCount).toBeLessThanOrEqual(5);
    // Each once, but for those that are there twice and the last of a statement.
    expect(common.rowCount).toBeLessThanOrEqual(15_010);
  });

  it('are listed by one statement, or found to be too many by one', async () => {
    const everything = { from: 0, end: Infinity };
    counted.take();
    expect(await open('rare').list(everything, 10)).toHaveLength(4);
    expect(counted.take()).toEqual({ statementCount: 1, rowCount: 4 });
    expect(await open('common').list(everything, 10)).toBeNull();
    expect(counted.take()).toEqual({ statementCount: 1, rowCount: 11 });
  });

  it('are looked up one by one in an index on PostgreSQL', async () => {
    const texts: string[] = [];
    const dialect = postgresDialect.compileFor(new DummyDriver());
    const db = new Kysely<Tables>({ dialect, log: ({ query }) => void texts.push(query.sql) });
    const scope = { db, dialect: postgresDialect, sets: PINNED_SETS };
    await new SetMembers(scope, PINNED.span.leaf({ label: 'rare' }).set).look([1, 100_000]);
    expect(texts).toEqual([expect.stringContaining('"row_id" = ANY (ARRAY(SELECT ')]);
  });

  it('of a set that there is not are refused', async () => {
    const scope = { db: engine.db, dialect: engine.dialect };
    const members = new SetMembers(scope, PINNED.span.leaf({ label: 'rare' }).set);
    await expect(members.cover({ from: 1, end: 2 })).rejects.toThrow('there is no set pinned spans of spans');
  });
});
