/** Names that rows of a grain have, for messages that say what could be written. */
import type { FilterGrain } from '../tree.ts';

/** What of a row people look for a text in. */
export const TEXT_EXAMPLE: Readonly<Record<FilterGrain, string>> = {
  span: 'input.value',
  trace: 'input',
  session: 'any_input',
};

/** What of a row is compared with a number. */
export const NUMBER_EXAMPLE: Readonly<Record<FilterGrain, string>> = {
  span: 'latency_ms',
  trace: 'latency_ms',
  session: 'duration_ms',
};

/** What of a row may be missing. */
export const MISSING_EXAMPLE: Readonly<Record<FilterGrain, string>> = {
  span: 'output.value',
  trace: 'output',
  session: 'last_output',
};
