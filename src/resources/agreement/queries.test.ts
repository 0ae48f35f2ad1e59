/** Sums of judgements, compared with what plain loops make of random annotations. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnnotationTarget, AnnotatorKind } from '#domain/annotation';
import { RandomStore } from '#store/random-store.fixture';
import { spanId, TEST_START_US, traceId } from '../../../test/harness/otlp-json.ts';
import { hashNumbers } from '../../../test/traffic/random.ts';
import {
  countAnswers,
  countJudgedPairs,
  findAnnotatorPair,
  type Judge,
  type JudgedScope,
  listAnnotators,
  sumDisagreement,
} from './queries.ts';

const HOUR_US = 3_600_000_000;
const TARGETS: readonly AnnotationTarget[] = ['span', 'trace', 'session', 'document'];
const NAMES = ['quality', 'tone'];
const ANNOTATORS: readonly (readonly [AnnotatorKind, string])[] = [
  ['HUMAN', 'ada'],
  ['HUMAN', 'bob'],
  ['LLM', ''],
  ['LLM', 'judge 2'],
  ['CODE', ''],
];

interface Said {
  readonly id: number;
  readonly target: AnnotationTarget;
  readonly target_row_id: number;
  readonly document_position: number;
  readonly project_id: number;
  readonly name: string;
  readonly identifier: string;
  readonly annotator_kind: AnnotatorKind;
  readonly label: string | null;
  readonly score: number | null;
  readonly updated_at_us: number;
}

let store: RandomStore;
let app: number;
let said: readonly Said[];
let starts: Readonly<Record<'span' | 'trace' | 'session', ReadonlyMap<number, number>>>;

beforeAll(async () => {
  store = await RandomStore.open({});
  for (const [place, project] of ['app', 'app', 'app', 'app', 'app', 'app', 'app', 'app', 'other', 'other'].entries()) {
    const attributes = { 'session.id': `${project} ${place % 3}` };
    const startUs = TEST_START_US + place * HOUR_US;
    await store.send([{ traceId: traceId(place + 1), spanId: spanId(place + 1), startUs, attributes }], project);
  }
  app = (await store.projectRowId('app')) ?? 0;
  const read = async (table: string) =>
    (await store.rows(`SELECT id, project_id, start_us FROM ${table} ORDER BY id`)).map((row) => ({
      id: Number(row['id']),
      projectRowId: Number(row['project_id']),
      startUs: Number(row['start_us']),
    }));
  const rows = { span: await read('spans'), trace: await read('traces'), session: await read('sessions') };
  const startsOf = (target: 'span' | 'trace' | 'session') =>
    new Map(rows[target].map(({ id, startUs }) => [id, startUs]));
  starts = { span: startsOf('span'), trace: startsOf('trace'), session: startsOf('session') };
  let id = 0;
  said = TARGETS.flatMap((target) =>
    rows[target === 'document' ? 'span' : target].flatMap((row) =>
      NAMES.flatMap((name) =>
        ANNOTATORS.flatMap(([annotator_kind, identifier], which) =>
          (target === 'document' ? [0, 1] : [-1]).flatMap((document_position): readonly Said[] => {
            id++;
            const pick = <Item>(items: readonly Item[], salt: number) => items[hashNumbers(id, salt) % items.length];
            if (pick([true, true, false], 1) !== true) return [];
            return [
              {
                id,
                target,
                target_row_id: row.id,
                document_position,
                project_id: row.projectRowId,
                name,
                identifier: `${identifier}${annotator_kind === 'CODE' ? which : ''}`,
                annotator_kind,
                label: pick([null, 'good', 'bad', 'fair'], 2) ?? null,
                score: pick([null, 0, 0.5, 1], 3) ?? null,
                // Some are stored in the same moment: then the higher id is the later one.
                updated_at_us: pick([1, 2, 3], 4) ?? 1,
              },
            ];
          }),
        ),
      ),
    ),
  );
  const shared = { explanation: null, metadata: '{}', source: 'API', user_id: null, created_at_us: 1 } as const;
  await store.scope.db
    .insertInto('annotations')
    .values(said.map((row) => ({ ...row, ...shared })))
    .execute();
});

const thingOf = (row: Said) => `${row.target_row_id} ${row.document_position}`;

function inScope(
  { target, startTimeUs = -Infinity, endTimeUs = Infinity }: JudgedScope,
  judge: Judge,
): readonly Said[] {
  return said.filter((row) => {
    const startUs = starts[target === 'document' ? 'span' : target].get(row.target_row_id) ?? Number.NaN;
    return (
      row.project_id === app &&
      row.target === target &&
      row.name === judge.name &&
      (judge.annotatorKind === undefined || row.annotator_kind === judge.annotatorKind) &&
      (judge.identifier === undefined || row.identifier === judge.identifier) &&
      startUs >= startTimeUs &&
      startUs < endTimeUs
    );
  });
}

function latestOf(scope: JudgedScope, judge: Judge): ReadonlyMap<string, Said> {
  const ordered = inScope(scope, judge).toSorted((a, b) => a.updated_at_us - b.updated_at_us || a.id - b.id);
  return new Map(ordered.map((row) => [thingOf(row), row]));
}

function tally(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

/** Of all ordered pairs of values. */
function disagreement<Value>(values: readonly Value[], distance: (a: Value, b: Value) => number): number {
  return values.reduce((sum, a) => sum + values.reduce((inner, b) => inner + distance(a, b), 0), 0);
}

function alphaSums<Value>(
  rows: readonly Said[],
  valueOf: (row: Said) => Value | null,
  distance: (a: Value, b: Value) => number,
) {
  const things = [...Map.groupBy(rows, thingOf).values()]
    .map((ofThing) => ofThing.flatMap((row) => valueOf(row) ?? []) as readonly Value[])
    .filter(({ length }) => length > 1);
  const all = things.flat();
  return {
    observed: things.reduce((sum, values) => sum + disagreement(values, distance) / (values.length - 1), 0),
    total: disagreement(all, distance),
    valueCount: all.length,
  };
}

const JUDGES: readonly Judge[] = [
  { name: 'quality' },
  { name: 'tone', annotatorKind: 'HUMAN' },
  { name: 'quality', annotatorKind: 'LLM', identifier: '' },
  { name: 'quality', identifier: 'ada' },
];

describe.each(TARGETS)('judgements of a %s', (target) => {
  it('are by two annotators of one name who judged most of the same things', async () => {
    const counts = new Map<string, number>();
    for (const name of NAMES)
      for (const rows of Map.groupBy(inScope({ projectRowId: app, target }, { name }), thingOf).values())
        for (const one of rows)
          for (const other of rows) {
            if (one.identifier >= other.identifier) continue;
            const pair = JSON.stringify([one, other].map((row) => [name, row.annotator_kind, row.identifier]));
            counts.set(pair, (counts.get(pair) ?? 0) + 1);
          }
    const pair = await findAnnotatorPair(store.scope, { projectRowId: app, target });
    const found = JSON.stringify(pair?.map(({ name, annotatorKind, identifier }) => [name, annotatorKind, identifier]));
    expect(counts.get(found)).toBe(Math.max(...counts.values()));
    const nobody = { projectRowId: app + 100, target };
    expect(await findAnnotatorPair(store.scope, nobody)).toBeUndefined();
  });

  describe.each([
    ['ever', {}],
    ['in a range of time', { startTimeUs: TEST_START_US + HOUR_US, endTimeUs: TEST_START_US + 5 * HOUR_US }],
  ])('%s', (_when, range) => {
    const scope = (): JudgedScope => ({ projectRowId: app, target, ...range });

    it('are counted by answer, the latest of each thing', async () => {
      for (const judge of JUDGES) {
        const found = await countAnswers(store.scope, scope(), judge);
        const expected = tally([...latestOf(scope(), judge).values()].map(({ label, score }) => `${label} ${score}`));
        expect(Object.fromEntries(found.map(({ label, score, count }) => [`${label} ${score}`, count]))).toEqual(
          expected,
        );
      }
    });

    it('are counted by what both judges said of one thing', async () => {
      for (const [first, second] of JUDGES.flatMap((one) => JUDGES.map((other) => [one, other] as const))) {
        const found = await countJudgedPairs(store.scope, scope(), first, second);
        const others = latestOf(scope(), second);
        const pairs = [...latestOf(scope(), first)].flatMap(([thing, one]) => {
          const other = others.get(thing);
          return other === undefined ? [] : `${one.label} ${one.score} ${other.label} ${other.score}`;
        });
        expect(
          Object.fromEntries(
            found.map((pair) => [
              `${pair.firstLabel} ${pair.firstScore} ${pair.secondLabel} ${pair.secondScore}`,
              pair.count,
            ]),
          ),
        ).toEqual(tally(pairs));
      }
    });

    it('disagree by as much as all pairs of them do', async () => {
      for (const name of NAMES) {
        const { labels, scores } = await sumDisagreement(store.scope, scope(), name);
        const rows = inScope(scope(), { name });
        const byLabel = alphaSums(
          rows,
          ({ label }) => label,
          (a, b) => (a === b ? 0 : 1),
        );
        const byScore = alphaSums(
          rows,
          ({ score }) => score,
          (a, b) => (a - b) ** 2,
        );
        expect(byLabel.valueCount).toBeGreaterThan(0);
        for (const [found, expected] of [
          [labels, byLabel],
          [scores, byScore],
        ] as const) {
          expect(found.valueCount).toBe(expected.valueCount);
          expect(found.observed).toBeCloseTo(expected.observed, 9);
          expect(found.total).toBeCloseTo(expected.total, 9);
        }
      }
    });

    it('have annotators, those who judged most first', async () => {
      const found = await listAnnotators(store.scope, scope(), 'quality', 3);
      const counts = tally(
        inScope(scope(), { name: 'quality' }).map((row) => `${row.annotator_kind} ${row.identifier}`),
      );
      const highest = Object.values(counts).toSorted((a, b) => b - a);
      expect(found.map(({ count }) => count)).toEqual(highest.slice(0, 3));
      for (const { annotatorKind, identifier, count } of found)
        expect(counts[`${annotatorKind} ${identifier}`]).toBe(count);
    });
  });
});

it('names the account of an annotator where all of it is by one', async () => {
  const { db } = store.scope;
  const account = (id: number, username: string) =>
    ({ id, username, email: `${username}@example.com`, role: 'MEMBER', auth_method: 'OAUTH2' }) as const;
  const times = { created_at_us: 1, updated_at_us: 1 };
  await db
    .insertInto('users')
    .values([
      { ...account(71, 'ada'), ...times },
      { ...account(72, 'bob'), ...times },
    ])
    .execute();
  const [one = 0, other = 0] = new Set(
    said
      .filter(({ target, project_id: project }) => target === 'trace' && project === app)
      .map((row) => row.target_row_id),
  );
  // Above the ids of the random ones, which were given, too.
  let id = 100_000;
  const by = (identifier: string, userId: number | null, traceRowId: number) => ({
    id: id++,
    target: 'trace' as const,
    target_row_id: traceRowId,
    project_id: app,
    name: 'authors',
    identifier,
    user_id: userId,
    annotator_kind: 'HUMAN' as const,
    source: 'API' as const,
    metadata: '{}',
    ...times,
  });
  const ofOne = [by('of ada', 71, one), by('of bob', 72, one), by('of none', null, one)];
  const ofSeveral = [by('mixed', 71, one), by('mixed', null, other), by('of two', 71, one), by('of two', 72, other)];
  await db
    .insertInto('annotations')
    .values([...ofOne, ...ofSeveral])
    .execute();
  const found = await listAnnotators(store.scope, { target: 'trace', projectRowId: app }, 'authors', 10);
  expect(Object.fromEntries(found.map(({ identifier, username }) => [identifier, username]))).toEqual({
    'of ada': 'ada',
    'of bob': 'bob',
    'of none': null,
    mixed: null,
    'of two': null,
  });
});
