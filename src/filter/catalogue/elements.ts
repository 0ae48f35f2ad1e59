/** What a filter can name of the elements of collections. */
import { ANNOTATION_FIELDS, SPAN_ANNOTATIONS } from './annotation.ts';
import type { ElementCatalogue, ElementName } from './catalogue.ts';
import {
  CUMULATIVE_TOKENS,
  END_TIME,
  LATENCY,
  LATEST_END,
  MODEL_NAME,
  SPAN_KIND,
  START_TIME,
  STATUS_CODE,
  TRACE_LATENCY,
  tokens,
} from './shared-fields.ts';

const SPAN: ElementCatalogue = {
  name: 'span',
  fields: [
    { name: 'name', type: 'text', description: 'name of the operation', category: 'identity' },
    {
      name: 'parent_id',
      type: 'text',
      description: 'span id of the parent; missing for a root',
      category: 'structure',
    },
    {
      name: 'user_id',
      type: 'text',
      description: 'the user that the span names; beyond 1,024 characters cut, with a digest at the end',
      category: 'identity',
    },
    {
      name: 'session_id',
      type: 'text',
      description: 'the session that the span names; beyond 1,024 characters cut, with a digest at the end',
      category: 'identity',
    },
    SPAN_KIND,
    MODEL_NAME,
    STATUS_CODE,
    START_TIME,
    END_TIME,
    LATENCY,
    {
      name: 'cumulative_error_count',
      type: 'number',
      description: 'spans whose status is ERROR, in the span and its descendants',
      category: 'outcome',
    },
    tokens('llm_token_count_prompt', 'tokens sent to the model'),
    tokens('llm_token_count_completion', 'tokens that the model returned'),
    tokens('llm_token_count_total', 'tokens sent and returned'),
    ...CUMULATIVE_TOKENS.map(({ name, description }) => tokens(name, description)),
  ],
  collections: [
    { name: 'children', description: 'direct child spans', category: 'structure', element: 'span' },
    {
      name: 'siblings',
      description: 'other spans with the same stored parent',
      category: 'structure',
      element: 'span',
    },
    ...SPAN_ANNOTATIONS,
    { name: 'cost_details', description: 'cost of each type of token', category: 'cost', element: 'cost' },
  ],
  hasParent: true,
};

const TRACE: ElementCatalogue = {
  name: 'trace',
  fields: [START_TIME, LATEST_END, TRACE_LATENCY],
  collections: [{ name: 'spans', description: 'all spans of the trace', category: 'structure', element: 'span' }],
  hasParent: false,
};

const ROOT_SPAN: ElementCatalogue = {
  name: 'rootSpan',
  fields: [
    { name: 'input', type: 'text', description: 'input of the root span', category: 'content' },
    { name: 'output', type: 'text', description: 'output of the root span', category: 'content' },
  ],
  collections: [],
  hasParent: false,
};

const ANNOTATION: ElementCatalogue = {
  name: 'annotation',
  fields: [
    { name: 'name', type: 'text', description: 'name of the annotation', category: 'annotations' },
    ...ANNOTATION_FIELDS,
  ],
  collections: [],
  hasParent: false,
};

const DOCUMENT_ANNOTATION: ElementCatalogue = {
  name: 'documentAnnotation',
  fields: [
    ...ANNOTATION.fields,
    {
      name: 'document_position',
      type: 'number',
      description: 'place of the document among those of the span, from 0',
      category: 'annotations',
    },
  ],
  collections: [],
  hasParent: false,
};

const COST: ElementCatalogue = {
  name: 'cost',
  fields: [
    {
      name: 'token_type',
      type: 'text',
      description: 'type of the tokens, such as `input` or `cache_read`',
      category: 'cost',
    },
    { name: 'is_prompt', type: 'boolean', description: 'whether the tokens were sent to the model', category: 'cost' },
    { name: 'cost', type: 'number', description: 'US dollars', category: 'cost' },
    { name: 'tokens', type: 'number', description: 'number of tokens', category: 'cost' },
    { name: 'cost_per_token', type: 'number', description: 'US dollars per token', category: 'cost' },
  ],
  collections: [],
  hasParent: false,
};

/** By what the elements are. */
export const ELEMENTS: Readonly<Record<ElementName, ElementCatalogue>> = {
  span: SPAN,
  trace: TRACE,
  rootSpan: ROOT_SPAN,
  annotation: ANNOTATION,
  documentAnnotation: DOCUMENT_ANNOTATION,
  cost: COST,
};
