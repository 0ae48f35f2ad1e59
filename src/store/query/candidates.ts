/** Finds the few rows that a filter can hold of, out of the sets that it asks for. */
import { annotationsAsSets } from '#filter/annotation-sets';
import type { Condition, FilterGrain } from '#filter/tree';
import type { RowIdRange } from '../sets/range-list.ts';
import { listSpansOfTraces, listTracesOfSessions, readSessionsOfTraces, readTracesOfSpans } from '../sets/owners.ts';
import type { SetScope } from '../sets/set-members.ts';
import { SetReader } from '../sets/set-reader.ts';

/** Where candidates are looked for. */
export interface CandidateSearch {
  readonly scope: SetScope;
  readonly reader: SetReader;
  /** Of the rows that are looked for. */
  readonly range: RowIdRange;
  /** More are not few. */
  readonly limit: number;
}

/** All row ids that the condition can hold of, each once and in no order; `null` where sets do not tell, or these are not few. */
export async function listCandidates(
  search: CandidateSearch,
  condition: Condition,
  grain: FilterGrain,
  variable: string | null = null,
): Promise<readonly number[] | null> {
  switch (condition.kind) {
    case 'constant':
      return condition.value ? null : [];
    case 'and': {
      let fewest: readonly number[] | null = null;
      const limit = condition.isLastDecisive ? Math.min(search.limit, MAX_BY_WORDS) : search.limit;
      for (const operand of condition.operands) {
        const found = await listCandidates({ ...search, limit }, operand, grain, variable);
        if (found !== null && (fewest === null || found.length < fewest.length)) fewest = found;
      }
      return fewest;
    }
    case 'or': {
      const all = new Set<number>();
      for (const operand of condition.operands) {
        const found = await listCandidates(search, operand, grain, variable);
        if (found === null) return null;
        for (const rowId of found) all.add(rowId);
      }
      return all.size > search.limit ? null : [...all];
    }
    case 'inSet': {
      if (condition.isNegated || condition.of !== variable) return null;
      const { set } = condition;
      const range = set.subject === grain ? search.range : EVERYTHING;
      return carry(search, await search.reader.membersOf(set).list(range, search.limit), set.subject, grain);
    }
    case 'quantifier': {
      const { isNegated, quantifier, over, test } = condition;
      const element = ELEMENTS[over.collection];
      if (isNegated || quantifier !== 'any' || over.of !== variable || element === undefined) return null;
      const operands = over.where === null ? [test] : [test, over.where];
      const inside = { ...search, range: EVERYTHING };
      return carry(
        search,
        await listCandidates(inside, { kind: 'and', operands }, element, over.variable),
        element,
        grain,
      );
    }
    default:
      return null;
  }
}

/** Lists the few traces or sessions that a filter of those can hold of, once, when the first step of them is read. */
export function namedRows(
  scope: SetScope,
  condition: Condition,
  grain: FilterGrain,
): () => Promise<readonly number[] | null> {
  let found: Promise<readonly number[] | null> | undefined;
  return () => {
    const search = { scope, reader: new SetReader(scope), range: EVERYTHING, limit: MAX_NAMED };
    found ??= listCandidates(search, annotationsAsSets(condition), grain);
    return found;
  };
}

const MAX_NAMED = 4096;

/** More rows than these are found sooner in columns than by the index of words. */
const MAX_BY_WORDS = 1000;

const EVERYTHING: RowIdRange = { from: 0, end: Infinity };

/** What the elements of collections are that lie below a row. */
const ELEMENTS: Readonly<Record<string, FilterGrain>> = { spans: 'span', traces: 'trace' };

/** What owns the rows, or lies below them; `null` where that is not few. */
async function carry(
  search: CandidateSearch,
  rowIds: readonly number[] | null,
  from: FilterGrain,
  to: FilterGrain,
): Promise<readonly number[] | null> {
  if (rowIds === null) return null;
  const { scope, range, limit } = search;
  if (from === to) return rowIds.filter((rowId) => rowId >= range.from && rowId < range.end);
  switch (from) {
    case 'span':
      return carry(search, await readTracesOfSpans(scope, rowIds), 'trace', to);
    case 'session':
      return carry(search, orNull(await listTracesOfSessions(scope, rowIds, limit + 1), limit), 'trace', to);
    case 'trace': {
      if (to === 'span') return carry(search, orNull(await listSpansOfTraces(scope, rowIds, limit + 1), limit), to, to);
      const sessions = await readSessionsOfTraces(scope, rowIds);
      return carry(search, [...new Set(sessions.values())], to, to);
    }
  }
}

function orNull(rowIds: readonly number[], limit: number): readonly number[] | null {
  return rowIds.length > limit ? null : rowIds;
}
