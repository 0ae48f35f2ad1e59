import { beforeAll, describe, expect, it } from 'vitest';
import { parseFilter } from '#filter/parse-filter';
import type { Condition, FilterGrain } from '#filter/tree';
import type { AnnotationSummary } from '../annotations/summaries.ts';
import { type PlainGrain, plainMatches, plainSessions, plainTraces } from '../query/grains/grains.fixture.ts';
import { QueriedStore } from '../query/queried-store.fixture.ts';
import { summarizeAnnotations } from './annotations.ts';
import type { AnnotationQuestion } from './port.ts';

let known: QueriedStore;
let traces: readonly PlainGrain[];
let sessions: readonly PlainGrain[];

beforeAll(async () => {
  known = await QueriedStore.open();
  [traces, sessions] = [await plainTraces(known.store, known), await plainSessions(known.store, known)];
});

const ALL: Condition = { kind: 'constant', value: true };

function read(grain: FilterGrain, text: string): Condition {
  const { condition } = parseFilter(grain, text);
  if (condition === null) throw new Error(text);
  return condition;
}

/** As the definition says it: per target first. */
function expectedOf(target: FilterGrain, rowIds: readonly number[], name: string): AnnotationSummary | undefined {
  const perTarget = rowIds
    .map((rowId) => known.annotations.of(target, rowId).filter((one) => one.name === name))
    .map((own) => own.filter(({ score, label }) => score !== null || label !== null));
  const means: number[] = [];
  const labelled: string[][] = [];
  for (const own of perTarget) {
    const scores = own.flatMap(({ score }) => score ?? []);
    if (scores.length > 0) means.push(scores.reduce((sum, score) => sum + score, 0) / scores.length);
    const labels = own.flatMap(({ label }) => label ?? []);
    if (labels.length > 0) labelled.push(labels);
  }
  if (perTarget.flat().length === 0) return undefined;
  const fractions = [...new Set(labelled.flat())].map((label) => ({
    label,
    fraction:
      labelled.reduce((sum, own) => sum + own.filter((one) => one === label).length / own.length, 0) / labelled.length,
    targetCount: labelled.filter((own) => own.includes(label)).length,
  }));
  return {
    name,
    count: perTarget.flat().length,
    scoreCount: perTarget.flat().filter(({ score }) => score !== null).length,
    labelCount: labelled.flat().length,
    meanScore: means.length === 0 ? null : means.reduce((sum, mean) => sum + mean, 0) / means.length,
    labelFractions: fractions,
  };
}

function expectSame(
  found: readonly AnnotationSummary[],
  target: FilterGrain,
  rowIds: readonly number[],
  names: readonly string[],
) {
  const expected = names.flatMap((name) => expectedOf(target, rowIds, name) ?? []);
  expect(found.map(({ name }) => name)).toEqual(expected.map(({ name }) => name).toSorted());
  for (const { labelFractions, meanScore, ...counts } of expected) {
    const summary = found.find(({ name }) => name === counts.name);
    expect(summary).toMatchObject(counts);
    if (meanScore === null) expect(summary?.meanScore).toBeNull();
    else expect(summary?.meanScore).toBeCloseTo(meanScore, 9);
    const sizes = summary?.labelFractions.map(({ fraction }) => fraction) ?? [];
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(summary?.labelFractions.length).toBe(labelFractions.length);
    for (const { label, fraction, targetCount } of labelFractions) {
      const found = summary?.labelFractions.find((one) => one.label === label);
      expect(found?.fraction).toBeCloseTo(fraction, 9);
      expect(found?.targetCount).toBe(targetCount);
    }
  }
}

const NAMES = ['a b', "it's", 'quality'];

async function ask(question: Partial<AnnotationQuestion>) {
  const { scope, projectRowId } = known.store;
  const whole = { projectRowId: projectRowId(), condition: null, name: null, bucket: null, target: 'span' } as const;
  const answer = await summarizeAnnotations(scope, { ...whole, ...question }, 600_000);
  expect(answer).toMatchObject({ isPartial: false, share: 1 });
  return answer;
}

describe('annotations of spans come to', () => {
  it.each([null, "span_kind == 'LLM'", "annotations['quality'].score > 0 or 'needle' in text"])('%s', async (text) => {
    const condition = text === null ? null : read('span', text);
    const rowIds = known.matchesOf(condition ?? ALL);
    expect(rowIds.length).toBeGreaterThan(20);
    expectSame((await ask({ condition })).summaries[0] ?? [], 'span', rowIds, NAMES);
    for (const name of ['quality', 'é'])
      expectSame((await ask({ condition, name })).summaries[0] ?? [], 'span', rowIds, [name]);
  });

  it('in bounds of time, by bucket, of traces that match', async () => {
    const traceCondition = read('trace', "trace_annotations['quality'].score > 0");
    const wanted = new Set(plainMatches(traces, traceCondition));
    const starts = known.spans.map(({ row }) => row.startTimeUs).sort((a, b) => a - b);
    const [startTimeUs = 0, endTimeUs = 0] = [starts[60], starts[260]];
    const bucket = { unit: 'SECOND', zone: 'UTC' } as const;
    const { buckets, summaries } = await ask({ traceCondition, startTimeUs, endTimeUs, bucket });
    expect(summaries.length).toBeGreaterThan(20);
    for (const [place, found] of summaries.entries()) {
      const [from = 0, end = buckets.endUs] = [buckets.startsUs[place], buckets.startsUs[place + 1]];
      const rowIds = known.spans
        .map(({ row }) => row)
        .filter((row) => row.startTimeUs >= Math.max(from, startTimeUs) && row.startTimeUs < Math.min(end, endTimeUs))
        .filter((row) => wanted.has(row.traceRowId))
        .map(({ rowId }) => rowId);
      expectSame(found, 'span', rowIds, NAMES);
    }
  });

  it('nothing in another project', async () => {
    expect((await ask({ projectRowId: known.store.projectRowId('other') })).summaries).toEqual([[]]);
  });
});

it('annotations of traces come to what those of traces with a matching span do', async () => {
  const condition = read('span', "span_kind == 'LLM' and latency_ms >= 1");
  const owners = new Set(known.matchesOf(condition));
  const ofSpans = new Set(known.spans.filter(({ row }) => owners.has(row.rowId)).map(({ row }) => row.traceRowId));
  const traceCondition = read('trace', 'num_spans > 2');
  const rowIds = plainMatches(traces, traceCondition).filter((rowId) => ofSpans.has(rowId));
  expect(rowIds.length).toBeGreaterThan(5);
  expect(rowIds.length).toBeLessThan(traces.length);
  expectSame((await ask({ target: 'trace', condition, traceCondition })).summaries[0] ?? [], 'trace', rowIds, NAMES);
  const all = traces.map(({ rowId }) => rowId);
  expectSame((await ask({ target: 'trace' })).summaries[0] ?? [], 'trace', all, NAMES);
});

it('annotations of sessions come to what those of the sessions that match do', async () => {
  const sessionCondition = read('session', 'num_traces_with_error > 3');
  const rowIds = plainMatches(sessions, sessionCondition);
  expect(rowIds.length).toBeGreaterThan(0);
  expectSame((await ask({ target: 'session', sessionCondition })).summaries[0] ?? [], 'session', rowIds, NAMES);
  const all = sessions.map(({ rowId }) => rowId);
  expectSame((await ask({ target: 'session' })).summaries[0] ?? [], 'session', all, NAMES);
});
