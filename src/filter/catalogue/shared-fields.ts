/** Fields that several catalogues have. */
import { SPAN_KINDS, SPAN_STATUS_CODES } from '#domain/span';
import type { CatalogueField } from './catalogue.ts';

/** What kind of step a span is. */
export const SPAN_KIND: CatalogueField = {
  name: 'span_kind',
  type: 'text',
  description: 'kind of step',
  category: 'identity',
  values: SPAN_KINDS,
};

/** How a span ended. */
export const STATUS_CODE: CatalogueField = {
  name: 'status_code',
  type: 'text',
  description: 'status',
  category: 'outcome',
  values: SPAN_STATUS_CODES,
};

/** The model that a span calls. */
export const MODEL_NAME: CatalogueField = {
  name: 'model_name',
  type: 'text',
  description: 'the model of an LLM, embedding or reranking call',
  category: 'identity',
};

/** The first moment of anything. */
export const START_TIME: CatalogueField = {
  name: 'start_time',
  type: 'date',
  description: 'start time',
  category: 'time',
};

/** The last moment of a span. */
export const END_TIME: CatalogueField = {
  name: 'end_time',
  type: 'date',
  description: 'end time; missing while it is running',
  category: 'time',
};

/** How long a span took. */
export const LATENCY: CatalogueField = {
  name: 'latency_ms',
  type: 'number',
  description: 'milliseconds from start to end; missing while it is running',
  category: 'time',
};

/** The last moment of what consists of spans. */
export const LATEST_END: CatalogueField = {
  name: 'end_time',
  type: 'date',
  description: 'the latest end of its spans; a running one counts with its start',
  category: 'time',
};

/** How long a trace took. */
export const TRACE_LATENCY: CatalogueField = {
  name: 'latency_ms',
  type: 'number',
  description: 'milliseconds from the earliest start of its spans to the latest end',
  category: 'time',
};

/** Sums over a span and everything below it. */
export const CUMULATIVE_TOKENS: readonly CatalogueField[] = [
  cumulative('prompt', 'tokens sent to models'),
  cumulative('completion', 'tokens that models returned'),
  cumulative('total', 'tokens sent and returned'),
];

/** Sums over all spans of a trace or session. */
export const COUNTED_TOKENS: readonly CatalogueField[] = [
  tokens('token_count_prompt', 'tokens sent to models, over all spans'),
  tokens('token_count_completion', 'tokens that models returned, over all spans'),
  tokens('token_count_total', 'tokens sent and returned, over all spans'),
];

/** What tokens cost; zero where nothing has a price. */
export const COSTS: readonly CatalogueField[] = [
  cost('total_cost', 'US dollars for all tokens; 0 without a price'),
  cost('prompt_cost', 'US dollars for tokens sent to models; 0 without a price'),
  cost('completion_cost', 'US dollars for tokens that models returned; 0 without a price'),
];

/** Numbers of spans of the kinds that are counted most. */
export const KIND_COUNTS: readonly CatalogueField[] = [
  { name: 'llm_span_count', type: 'number', description: 'spans of kind LLM', category: 'structure' },
  { name: 'tool_span_count', type: 'number', description: 'spans of kind TOOL', category: 'structure' },
];

/** Who used the application, as the root span says. */
export const ROOT_USER: CatalogueField = {
  name: 'user.id',
  type: 'any',
  description: 'the user that the root span names',
  category: 'identity',
  attributePath: 'user.id',
};

/** A number of tokens. */
export function tokens(name: string, description: string): CatalogueField {
  return { name, type: 'number', description, category: 'tokens' };
}

function cost(name: string, description: string): CatalogueField {
  return { name, type: 'number', description, category: 'cost' };
}

function cumulative(part: string, description: string): CatalogueField {
  return {
    ...tokens(`cumulative_llm_token_count_${part}`, `${description}, in the span and its descendants`),
    aliases: [`cumulative_token_count.${part}`],
  };
}
