/** What a filter of spans can name, beside paths of attributes. */
import { SPAN_ANNOTATIONS } from './annotation.ts';
import type { CatalogueField, GrainCatalogue } from './catalogue.ts';
import {
  COSTS,
  CUMULATIVE_TOKENS,
  END_TIME,
  LATENCY,
  MODEL_NAME,
  SPAN_KIND,
  START_TIME,
  STATUS_CODE,
} from './shared-fields.ts';

const TOKEN_ATTRIBUTES: readonly CatalogueField[] = [
  tokenAttribute('prompt', 'tokens sent to the model'),
  tokenAttribute('completion', 'tokens that the model returned'),
  tokenAttribute('total', 'tokens sent and returned'),
];

/** Names of spans. */
export const SPAN_CATALOGUE: GrainCatalogue = {
  grain: 'span',
  fields: [
    {
      name: 'span_id',
      type: 'text',
      description: '16 hexadecimal digits',
      category: 'identity',
      aliases: ['context.span_id'],
    },
    {
      name: 'trace_id',
      type: 'text',
      description: '32 hexadecimal digits',
      category: 'identity',
      aliases: ['context.trace_id'],
    },
    {
      name: 'parent_id',
      type: 'text',
      description: 'span id of the parent; missing for a root, present even if the parent is not stored',
      category: 'structure',
    },
    { name: 'name', type: 'text', description: 'name of the operation', category: 'identity' },
    SPAN_KIND,
    MODEL_NAME,
    STATUS_CODE,
    { name: 'status_message', type: 'text', description: 'message for the status', category: 'outcome' },
    START_TIME,
    END_TIME,
    LATENCY,
    ...TOKEN_ATTRIBUTES,
    ...CUMULATIVE_TOKENS,
    ...COSTS,
  ],
  collections: [
    ...SPAN_ANNOTATIONS,
    {
      name: 'trace_annotations',
      description: 'annotations of the trace',
      category: 'annotations',
      element: 'annotation',
    },
    { name: 'cost_details', description: 'cost of each type of token', category: 'cost', element: 'cost' },
  ],
  annotations: {
    annotations: 'span',
    evals: 'span',
    trace_annotations: 'trace',
    document_annotations: 'document',
  },
  hasOpenNames: true,
  hasParent: true,
};

function tokenAttribute(part: string, description: string): CatalogueField {
  const name = `llm.token_count.${part}`;
  return {
    name,
    type: 'number',
    description: `${description}, as the span reports`,
    category: 'tokens',
    attributePath: name,
  };
}
