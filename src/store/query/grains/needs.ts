/** What must be read beside the rows of traces or sessions. */
import { SPAN_ANNOTATIONS } from '#filter/annotation-collections';
import { mentionsOf } from '#filter/mentions';
import type { Condition } from '#filter/tree';
import type { NumberColumn, TextColumn } from '../../columns/batch.ts';
import { COST_DETAILS } from '../cost-details.ts';
import { collectionsIn } from '../partial-condition.ts';
import { SPAN_COLUMNS, SPAN_COST_COLUMNS } from './trace-spans.ts';

/** What a condition needs. */
export interface GrainNeeds {
  /** The columns of the spans; `null` where no spans are needed. */
  readonly spanColumns: readonly (NumberColumn | TextColumn)[] | null;
  readonly needsRoots: boolean;
}

/** The collection of what all spans of a row cost. */
export const SPAN_COST_DETAILS = 'span_cost_details';

/** @param rootFields fields that root spans tell */
export function needsOf(condition: Condition, rootFields: ReadonlySet<string>): GrainNeeds {
  const { fields, attributes, collections } = mentionsOf(condition);
  const all = collectionsIn(condition);
  const needsSpans = OF_SPANS.some((name) => all.has(name)) || KIND_COUNTS.some((name) => fields.has(name));
  const needsCosts = all.has(COST_DETAILS) || all.has(SPAN_COST_DETAILS);
  return {
    spanColumns: needsSpans ? [...SPAN_COLUMNS, ...(needsCosts ? SPAN_COST_COLUMNS : [])] : null,
    needsRoots: attributes.size > 0 || collections.has(ROOT_SPANS) || [...fields].some((name) => rootFields.has(name)),
  };
}

/** The collection of the root spans of a session. */
export const ROOT_SPANS = 'root_spans';

const OF_SPANS = ['spans', SPAN_COST_DETAILS, SPAN_ANNOTATIONS];
const KIND_COUNTS = ['llm_span_count', 'tool_span_count'];
