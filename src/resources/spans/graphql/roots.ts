/** The older way to ask for root spans alone: by arguments, where filters say the same. */
import type { Condition } from '#filter/tree';
import { readFilter } from '../../filters/operations.ts';

/** The arguments as they arrive. */
export interface RootArguments {
  readonly rootSpansOnly?: boolean | null | undefined;
  readonly orphanSpanAsRootSpan?: boolean | null | undefined;
}

/** What describes them. */
export const ROOT_ARGUMENTS = {
  rootSpansOnly: 'Only spans without a parent.',
  orphanSpanAsRootSpan: 'Whether a span whose parent is not stored is a root, too.',
};

/** How roots are told. */
export interface Roots {
  /** Whether they are the spans that name no parent, which an index knows. */
  readonly rootsOnly: boolean;
  /** Else what the spans must be, beside what a filter says. */
  readonly condition: Condition | undefined;
}

/** Narrows a filter to roots. */
export function narrowToRoots(
  condition: Condition | undefined,
  { rootSpansOnly, orphanSpanAsRootSpan }: RootArguments,
): Roots {
  if (rootSpansOnly !== true) return { rootsOnly: false, condition };
  if (orphanSpanAsRootSpan === false) return { rootsOnly: true, condition };
  return { rootsOnly: false, condition: both(readFilter('span', 'parent_span is None'), condition) };
}

/** The same without the index. */
export function withoutIndex({ rootsOnly, condition }: Roots): Condition | undefined {
  return rootsOnly ? both(readFilter('span', 'parent_id is None'), condition) : condition;
}

function both(first: Condition | undefined, second: Condition | undefined): Condition | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { kind: 'and', operands: [first, second] };
}
