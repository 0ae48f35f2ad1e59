/** What a filter of sessions can name. */
import type { GrainCatalogue } from './catalogue.ts';
import { COSTS, COUNTED_TOKENS, KIND_COUNTS, LATEST_END, ROOT_USER, START_TIME } from './shared-fields.ts';

/** Names of sessions. */
export const SESSION_CATALOGUE: GrainCatalogue = {
  grain: 'session',
  fields: [
    { name: 'session_id', type: 'text', description: 'the session id in its spans', category: 'identity' },
    START_TIME,
    LATEST_END,
    { name: 'duration_ms', type: 'number', description: 'milliseconds from start to end', category: 'time' },
    { name: 'num_traces', type: 'number', description: 'number of traces', category: 'structure' },
    {
      name: 'num_traces_with_error',
      type: 'number',
      description: 'traces with a span whose status is ERROR',
      category: 'outcome',
    },
    ...KIND_COUNTS,
    ...COUNTED_TOKENS,
    ...COSTS,
    { name: 'first_input', type: 'text', description: 'input of the first root span', category: 'content' },
    { name: 'last_output', type: 'text', description: 'output of the last root span', category: 'content' },
    ROOT_USER,
  ],
  collections: [
    { name: 'traces', description: 'all traces', category: 'structure', element: 'trace' },
    { name: 'spans', description: 'all spans of its traces', category: 'structure', element: 'span' },
    { name: 'root_spans', description: 'spans without a parent', category: 'content', element: 'rootSpan' },
    {
      name: 'session_annotations',
      description: 'annotations of the session',
      category: 'annotations',
      element: 'annotation',
    },
    {
      name: 'span_annotations',
      description: 'annotations of its spans',
      category: 'annotations',
      element: 'annotation',
    },
    {
      name: 'span_cost_details',
      description: 'cost of each type of token, by span',
      category: 'cost',
      element: 'cost',
    },
  ],
  annotations: { session_annotations: 'session' },
  hasOpenNames: false,
  hasParent: false,
};

/** Names for all inputs or outputs of a session: a text is looked for in that field of each root span. */
export const ANY_TEXTS: Readonly<Record<string, { readonly field: string; readonly description: string }>> = {
  any_input: { field: 'input', description: "input of any root span; only `'text' in any_input`" },
  any_output: { field: 'output', description: "output of any root span; only `'text' in any_output`" },
};
