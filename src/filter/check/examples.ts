/** Names that rows of a grain have, for messages that say what could be written. */
import type { FilterGrain } from '../tree.ts';

/** A text of a row, for examples of searching in it. */
export const TEXT_EXAMPLE: Readonly<Record<FilterGrain, string>> = {
  span: 'input.value',
  trace: 'input',
  session: 'any_input',
};

/** A number of a row, for examples of comparing it. */
export const NUMBER_EXAMPLE: Readonly<Record<FilterGrain, string>> = {
  span: 'latency_ms',
  trace: 'latency_ms',
  session: 'duration_ms',
};

/** A value of a row that may be missing, for examples. */
export const MISSING_EXAMPLE: Readonly<Record<FilterGrain, string>> = {
  span: 'output.value',
  trace: 'output',
  session: 'last_output',
};
