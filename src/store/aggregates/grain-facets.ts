/** Facets of traces and of sessions: which values they have, and how many each. */
import type { Condition } from '#filter/tree';
import type { SpanBatch } from '../columns/batch.ts';
import { giveWay } from '../threads/fair-turns.ts';
import { namedRows } from '../query/candidates.ts';
import { TRACE_AMOUNTS, compileForTraces } from '../query/grains/traces.ts';
import type { DecidedRows, PlacedRow } from '../query/grains/find-matches.ts';
import { SESSION_AMOUNTS, compileForSessions, readFirstRoots } from '../query/grains/sessions.ts';
import { countAllSessions, readSessionStep, type SessionStepRow } from '../query/grains/session-steps.ts';
import { readTraceStep, type TraceStepRow } from '../query/grains/trace-steps.ts';
import type { Place } from '../query/place.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { Budget } from '../query/budget.ts';
import { FacetCounter, type Rows } from './facet-counter.ts';
import { takeOwnTerms } from './facet-terms.ts';
import { assertFacets } from './facets.ts';
import { type AmountReader, openAmount } from './grain-dimensions.ts';
import { openDimension } from './group-keys.ts';
import { NumberSet } from '#base/number-set';
import type { FacetAnswer, FacetRequest, GrainFacetQuestion } from './port.ts';
import { closeRange } from './range.ts';
import { RootBatches } from './root-batches.ts';
import type { ScanNeeds } from './scan.ts';
import { countTraces } from './trace-rows.ts';

/** Traces that started in the range, newest first. */
export function countTraceFacets(
  scope: ReadScope,
  question: GrainFacetQuestion,
  budgetMs: number,
): Promise<FacetAnswer> {
  const { projectRowId, startTimeUs, endTimeUs } = question;
  const steps = { projectRowId, startTimeUs, endTimeUs, sort: 'start_time', direction: 'desc' } as const;
  const named = namedRows(scope, question.condition ?? EVERYTHING, 'trace');
  const grain: Grain<TraceStepRow> = {
    noun: 'Traces',
    rowsAtOnce: 4096,
    read: async (after, limit) => readTraceStep(scope, { ...steps, rowIds: await named() }, after, limit),
    compile: (condition, budget) =>
      compileForTraces(scope, condition, {
        projectRowId,
        window: null,
        assertNotLost: () => void budget.isOver,
        onLooked: () => {},
      }),
    count: async () => countTraces(scope, projectRowId, await closeRange(scope, 'traces', question)),
    amounts: TRACE_AMOUNTS,
    readRoots: async (rows) => rows.map(({ root_span_row_id: rowId }) => rowId),
    timesOf: ({ start_us: startUs, end_us: endUs }) => ({ startUs, endUs }),
  };
  return countGrainFacets(scope, grain, question, budgetMs);
}

/** Sessions of which any part lies in the range, the last ones to arrive first. */
export function countSessionFacets(
  scope: ReadScope,
  question: GrainFacetQuestion,
  budgetMs: number,
): Promise<FacetAnswer> {
  const { projectRowId, startTimeUs, endTimeUs } = question;
  const steps = { projectRowId, startTimeUs, endTimeUs, sort: 'id', direction: 'desc' } as const;
  const named = namedRows(scope, question.condition ?? EVERYTHING, 'session');
  const grain: Grain<SessionStepRow> = {
    noun: 'Sessions',
    rowsAtOnce: 2048,
    read: async (after, limit) => readSessionStep(scope, { ...steps, rowIds: await named() }, after, limit),
    compile: (condition) => compileForSessions(scope, condition),
    count: () => countAllSessions(scope, steps),
    amounts: SESSION_AMOUNTS,
    async readRoots(rows) {
      const rowIds = rows.map(({ rowId }) => rowId);
      const roots = await readFirstRoots(scope, rowIds);
      return rowIds.map((rowId) => roots.get(rowId) ?? null);
    },
    timesOf: ({ startTimeUs: startUs, endTimeUs: endUs }) => ({ startUs, endUs }),
  };
  return countGrainFacets(scope, grain, question, budgetMs);
}

const EVERYTHING: Condition = { kind: 'constant', value: true };

/** What traces and sessions do differently. */
interface Grain<Row extends PlacedRow> {
  /** In messages. */
  readonly noun: string;
  readonly rowsAtOnce: number;
  readonly read: (after: Place | null, limit: number) => Promise<readonly Row[]>;
  readonly compile: (condition: Condition, budget: Budget) => Decide<Row>;
  /** Rows of the range. */
  readonly count: () => Promise<number>;
  readonly amounts: ReadonlyMap<string, (row: Row) => number>;
  /** By row, the row id of its root span; `null` for none. */
  readonly readRoots: (rows: readonly Row[]) => Promise<readonly (number | null)[]>;
  /** In which its spans start, both inclusive. */
  readonly timesOf: (row: Row) => { readonly startUs: number; readonly endUs: number };
}

type Decide<Row> = (rows: readonly Row[]) => AsyncIterable<DecidedRows<Row>>;

/** A facet that is being counted. */
interface OpenFacet<Row> {
  readonly request: FacetRequest;
  /** `null` for an attribute of root spans. */
  readonly readAmount: AmountReader<Row>;
  /** What it leaves out of the filter. */
  readonly ownTerms: Decide<Row> | null;
  /** Root spans of the rows that are counted, where an attribute is. */
  readonly roots: NumberSet;
  readonly counter: FacetCounter;
}

async function countGrainFacets<Row extends PlacedRow>(
  scope: ReadScope,
  grain: Grain<Row>,
  question: GrainFacetQuestion,
  budgetMs: number,
): Promise<FacetAnswer> {
  assertFacets(question);
  const [budget, rowBudget] = [new Budget(budgetMs), new Budget(budgetMs * SHARE_FOR_ROWS)];
  const { common, own } = takeOwnTerms(
    question.condition,
    question.facets.map(({ dimension, leavesOutOwnTerms }) => (leavesOutOwnTerms ? dimension : null)),
  );
  const test = (condition: Condition | null | undefined) =>
    condition == null ? null : grain.compile(condition, rowBudget);
  const matchCommon = test(common);
  const shared = new NumberSet();
  const facets = question.facets.map((request, place): OpenFacet<Row> => {
    const readAmount = openAmount(request.dimension, grain);
    const ownTerms = test(own[place]);
    const roots = ownTerms === null ? shared : new NumberSet();
    return { request, readAmount, ownTerms, roots, counter: new FacetCounter() };
  });
  const looked = await countRows(grain, matchCommon, facets, rowBudget);
  const rootIds = [...new Set(facets.flatMap(({ roots }) => [...roots]))].sort((a, b) => b - a);
  const spans = { projectRowId: question.projectRowId, startTimeUs: looked.startUs, endTimeUs: looked.endUs + 1 };
  const batches = new RootBatches(scope, rootIds, spans, budget);
  await countRoots(batches, facets);
  const { isPartial, share } = batches.coverage;
  const total = looked.isCut ? await grain.count() : looked.count;
  return {
    facets: facets.map(({ counter, request }) => counter.read(request)),
    isPartial: looked.isCut || isPartial,
    share: share * (total === 0 ? 1 : Math.min(looked.count / total, 1)),
  };
}

/** Of the time of a question; the rest is for root spans. */
const SHARE_FOR_ROWS = 0.6;

/** Counts amounts, and notes root spans, of the rows that match. */
async function countRows<Row extends PlacedRow>(
  grain: Grain<Row>,
  matchCommon: Decide<Row> | null,
  facets: readonly OpenFacet<Row>[],
  budget: Budget,
) {
  const ownTerms = facets.flatMap((facet) => facet.ownTerms ?? []);
  const needsRoots = facets.some(({ readAmount }) => readAmount === null);
  let [count, startUs, endUs] = [0, Infinity, -Infinity];
  for await (const step of readSteps(grain)) {
    const rows = await keepMatching(step, matchCommon);
    const roots = needsRoots ? await grain.readRoots(rows) : [];
    const narrow = async (leftOut: Decide<Row> | null) => {
      let left = rows;
      for (const terms of ownTerms) if (terms !== leftOut) left = await keepMatching(left, terms);
      return placesOf(rows, new Set(left));
    };
    const matches = await narrow(null);
    for (const { readAmount, ownTerms: terms, counter, roots: chosen } of facets) {
      const left = terms === null ? matches : await narrow(terms);
      if (readAmount !== null) counter.add(readAmount(rows), left);
      else chooseRoots(left, roots, chosen, counter);
    }
    for (const row of rows) {
      const times = grain.timesOf(row);
      [startUs, endUs] = [Math.min(startUs, times.startUs), Math.max(endUs, times.endUs)];
    }
    count += step.length;
    if (step.length === grain.rowsAtOnce && budget.isOver) return { count, startUs, endUs, isCut: true };
    await giveWay();
  }
  return { count, startUs, endUs, isCut: false };
}

function placesOf<Row>(rows: readonly Row[], kept: ReadonlySet<Row>): Rows {
  const places = rows.flatMap((row, place) => (kept.has(row) ? place : []));
  return { rows: Uint16Array.from(places), count: places.length };
}

/** Notes the roots of the rows; rows without any have no value. */
function chooseRoots(
  { rows, count }: Rows,
  roots: readonly (number | null)[],
  chosen: NumberSet,
  counter: FacetCounter,
) {
  let missing = 0;
  for (let index = 0; index < count; index++) {
    const rowId = roots[rows[index] ?? 0] ?? null;
    if (rowId === null) missing++;
    else chosen.add(rowId);
  }
  counter.add({ kind: 'constant', value: undefined }, { rows, count: missing });
}

/** Adds what the chosen root spans say. */
async function countRoots<Row>(batches: RootBatches, facets: readonly OpenFacet<Row>[]): Promise<void> {
  const needs: ScanNeeds = { columns: new Set(), attributes: new Set() };
  const ofRoots = facets
    .filter(({ readAmount }) => readAmount === null)
    .map(({ request, roots, counter }) => ({ read: openDimension(request.dimension, needs), roots, counter }));
  if (ofRoots.length === 0) return;
  for await (const batch of batches.batches(needs)) {
    const rowsOf = new Map<NumberSet, Rows>();
    for (const { read, roots, counter } of ofRoots) {
      const rows = rowsOf.get(roots) ?? rowsIn(batch, roots);
      rowsOf.set(roots, rows);
      if (rows.count > 0) counter.add(read(batch), rows);
    }
  }
}

function rowsIn({ rowIds }: SpanBatch, chosen: NumberSet): Rows {
  const rows = new Uint16Array(rowIds.length);
  let count = 0;
  for (let row = 0; row < rowIds.length; row++) if (chosen.has(rowIds[row] ?? 0)) rows[count++] = row;
  return { rows, count };
}

async function* readSteps<Row extends PlacedRow>({ read, rowsAtOnce }: Grain<Row>): AsyncGenerator<readonly Row[]> {
  for (let after: Place | null = null; ; ) {
    const rows: readonly Row[] = await read(after, rowsAtOnce);
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.place ?? null;
    if (rows.length < rowsAtOnce) return;
  }
}

/** The rows of which the test is true, in their order. */
async function keepMatching<Row extends PlacedRow>(
  rows: readonly Row[],
  decide: Decide<Row> | null,
): Promise<readonly Row[]> {
  if (decide === null || rows.length === 0) return rows;
  const matching = new Set<number>();
  for await (const { matches } of decide(rows)) for (const rowId of matches) matching.add(rowId);
  return rows.filter(({ place }) => matching.has(place.rowId));
}
