/** Facets: which values the spans of a filter have, and how many each. */
import { AppError } from '#base/errors';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { Budget } from '../query/budget.ts';
import { FacetCounter, type Rows } from './facet-counter.ts';
import { takeOwnTerms } from './facet-terms.ts';
import { openDimension } from './group-keys.ts';
import { allRows, openOwners, SpanMatcher } from './matcher.ts';
import { type FacetAnswer, type FacetQuestion, MAX_FACET_VALUES, MAX_FACETS } from './port.ts';
import { assertForward } from './range.ts';
import { Scan, type ScanNeeds } from './scan.ts';

/** Counts all facets in one walk. */
export async function countFacets(scope: ReadScope, question: FacetQuestion, budgetMs: number): Promise<FacetAnswer> {
  assertFacets(question);
  const budget = new Budget(budgetMs);
  const needs: ScanNeeds = { columns: new Set(), attributes: new Set() };
  const { common, own } = takeOwnTerms(
    question.condition,
    question.facets.map(({ dimension, leavesOutOwnTerms }) => (leavesOutOwnTerms ? dimension : null)),
  );
  const matchCommon = await SpanMatcher.open(scope, common, needs, budget, openOwners(scope, question, budget));
  const facets = [];
  for (const [place, request] of question.facets.entries()) {
    facets.push({
      request,
      read: openDimension(request.dimension, needs),
      ownTerms: own[place] == null ? null : await SpanMatcher.open(scope, own[place], needs, budget),
      counter: new FacetCounter(),
    });
  }
  const ownTerms = facets.flatMap((facet) => facet.ownTerms ?? []);
  const scan = new Scan(scope, question, budget);
  for await (const batch of scan.batches({ ...needs, ...matchCommon.screens })) {
    const base = await matchCommon.narrow(batch, allRows(batch));
    const narrow = async (leftOut: SpanMatcher | null) => {
      let rows: Rows = base;
      for (const terms of ownTerms) if (terms !== leftOut) rows = await terms.narrow(batch, rows);
      return rows;
    };
    const matches = await narrow(null);
    for (const facet of facets) {
      facet.counter.add(facet.read(batch), facet.ownTerms === null ? matches : await narrow(facet.ownTerms));
    }
  }
  return { facets: facets.map(({ counter, request }) => counter.read(request)), ...scan.coverage };
}

/** @throws AppError `invalid_argument` for more than one answer has, or a range that ends before it starts */
export function assertFacets({
  facets,
  ...question
}: Pick<FacetQuestion, 'facets' | 'startTimeUs' | 'endTimeUs'>): void {
  assertForward(question);
  if (facets.length > MAX_FACETS) {
    throw new AppError('invalid_argument', `At most ${MAX_FACETS} facets can be counted at once.`);
  }
  if (facets.some(({ maxValues }) => !(maxValues >= 0 && maxValues <= MAX_FACET_VALUES))) {
    throw new AppError('invalid_argument', `A facet has 0 to ${MAX_FACET_VALUES} values.`);
  }
}
