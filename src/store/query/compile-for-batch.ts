/** A filter compiled for batches of columns. */
import type { Condition } from '#filter/tree';
import type { NumberColumn, SpanBatch, TextColumn } from '../columns/batch.ts';
import { compileCondition, type TraceRowIds } from './compile-condition.ts';
import { noNeeds } from './compile-value.ts';
import { type LookedUp, type NeededLookups, NOTHING_LOOKED_UP } from './lookups.ts';
import type { Verdicts } from './verdicts.ts';

/** What a filter says of batches, and what it reads of them. */
export interface BatchFilter extends NeededLookups {
  /** The verdicts are the caller's to change. */
  readonly decide: (batch: SpanBatch, lookedUp?: LookedUp) => Verdicts;
  readonly columns: readonly (NumberColumn | TextColumn)[];
  /** Dotted paths. */
  readonly attributes: readonly string[];
  /** Whether any row can be uncertain when everything is looked up. */
  readonly mayBeUncertain: boolean;
}

/** @param traces the rows of the traces that {@link listTraceIds} gives; without them, ids of traces are uncertain */
export function compileForBatch(condition: Condition, traces: TraceRowIds | null = null): BatchFilter {
  const needs = noNeeds();
  const { decide } = compileCondition(condition, needs, traces);
  return {
    decide: (batch, lookedUp = NOTHING_LOOKED_UP) => decide({ batch, lookedUp }),
    columns: [...needs.columns],
    attributes: [...needs.attributes],
    lookups: needs.lookups,
    sets: [...needs.sets],
    mayBeUncertain: needs.mayBeUncertain,
  };
}
