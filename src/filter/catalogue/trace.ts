/** What a filter of traces can name. */
import type { GrainCatalogue } from './catalogue.ts';
import {
  COSTS,
  COUNTED_TOKENS,
  KIND_COUNTS,
  LATEST_END,
  ROOT_USER,
  START_TIME,
  TRACE_LATENCY,
} from './shared-fields.ts';

/** Names of traces. */
export const TRACE_CATALOGUE: GrainCatalogue = {
  grain: 'trace',
  fields: [
    { name: 'trace_id', type: 'text', description: '32 hexadecimal digits', category: 'identity' },
    START_TIME,
    LATEST_END,
    TRACE_LATENCY,
    { name: 'num_spans', type: 'number', description: 'number of spans', category: 'structure' },
    { name: 'error_count', type: 'number', description: 'spans whose status is ERROR', category: 'outcome' },
    ...KIND_COUNTS,
    ...COUNTED_TOKENS,
    ...COSTS,
    { name: 'input', type: 'text', description: 'input of the root span', category: 'content' },
    { name: 'output', type: 'text', description: 'output of the root span', category: 'content' },
    ROOT_USER,
  ],
  collections: [
    { name: 'spans', description: 'all spans', category: 'structure', element: 'span' },
    {
      name: 'trace_annotations',
      description: 'annotations of the trace',
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
  annotations: { trace_annotations: 'trace' },
  hasOpenNames: false,
  hasParent: false,
};
