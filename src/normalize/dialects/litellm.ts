/**
 * LiteLLM's own OpenTelemetry callback, of the package and of the proxy. What it has of the GenAI conventions they read.
 * @see https://docs.litellm.ai/docs/observability/opentelemetry_integration
 */
import { isJsonObject, type JsonObject, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as litellm from '#semconv/litellm';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonContainer } from '../json-value.ts';
import { completeTools, fillEmbeddings, fillTools } from '../fill.ts';
import { listNumberedVectors } from '../messages/embedding-body.ts';
import { fillModels, fillProvider, readSaidObject } from '../messages/fill-call.ts';
import { fillMetadata } from '../metadata.ts';
import { toNumber } from '../number.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'litellm';

export function speaks({ attributes, scope }: SpanEvidence): boolean {
  return scope.name === litellm.SCOPE_LITELLM || attributes.get(litellm.ATTR_LITELLM_CALL_TYPE) !== undefined;
}

export function translate({ attributes, name: spanName }: SpanEvidence): void {
  attributes.fill(openinference.ATTR_SPAN_KIND, readKind(attributes, spanName));
  fillWho(attributes);
  fillCost(attributes);
  fillFinishReason(attributes);
  const kind = attributes.get(openinference.ATTR_SPAN_KIND);
  if (kind === 'EMBEDDING') {
    const model = attributes.get(litellm.ATTR_LLM_RESPONSE_MODEL) ?? attributes.get(openinference.ATTR_LLM_MODEL_NAME);
    attributes.fill(openinference.ATTR_EMBEDDING_MODEL_NAME, model);
    fillEmbeddings(attributes, [], listNumberedVectors(attributes));
  } else if (kind === 'LLM') {
    fillTools(attributes, [...readTools(attributes, GEN_AI_TOOL_KEY).values()]);
    if (attributes.hasRoot('llm')) completeTools(attributes, readTools(attributes, LLM_TOOL_KEY));
    const answered =
      attributes.get(genAi.ATTR_GEN_AI_RESPONSE_MODEL) ?? attributes.get(litellm.ATTR_LLM_RESPONSE_MODEL);
    fillModels(attributes, withoutGateway(attributes.getText(genAi.ATTR_GEN_AI_REQUEST_MODEL)), answered);
    fillProvider(attributes, attributes.get(genAi.ATTR_GEN_AI_SYSTEM));
  }
}

function readKind(attributes: FlatAttributes, spanName: string): SpanKind | undefined {
  // Around it is the span of the call, which says the same in names that everybody knows.
  if (spanName === litellm.SPAN_RAW_GEN_AI_REQUEST) return 'CHAIN';
  if (attributes.get(litellm.ATTR_LITELLM_GUARDRAIL_NAME) !== undefined) return 'GUARDRAIL';
  const type =
    attributes.getText(litellm.ATTR_LLM_REQUEST_TYPE) ??
    attributes.getText(litellm.ATTR_LITELLM_CALL_TYPE) ??
    attributes.getText(genAi.ATTR_GEN_AI_OPERATION_NAME);
  if (type === undefined) return undefined;
  for (const [word, kind] of KINDS) if (type.includes(word)) return kind;
  return undefined;
}

/** Each call type also begins with an `a` where it was awaited. */
const KINDS: readonly (readonly [word: string, kind: SpanKind])[] = [
  ['embedding', 'EMBEDDING'],
  ['rerank', 'RERANKER'],
  ['completion', 'LLM'],
  ['responses', 'LLM'],
  ['anthropic_messages', 'LLM'],
  ['generate_content', 'LLM'],
  ['chat', 'LLM'],
];

function fillWho(attributes: FlatAttributes): void {
  const requester = readSaidObject(attributes.get(litellm.ATTR_METADATA_REQUESTER));
  if (requester !== undefined) fillMetadata(attributes, requester);
  const metadata = jsonObject();
  for (const [key, value] of attributes.entries()) {
    if (key.startsWith(litellm.PREFIX_LITELLM_METADATA))
      metadata[key.slice(litellm.PREFIX_LITELLM_METADATA.length)] = value;
  }
  fillMetadata(attributes, metadata);
  attributes.fill(openinference.ATTR_USER_ID, attributes.getText(litellm.ATTR_LITELLM_END_USER));
  attributes.fill(openinference.ATTR_USER_ID, attributes.getText(litellm.ATTR_METADATA_END_USER));
  attributes.fill(openinference.ATTR_USER_ID, attributes.getText(litellm.ATTR_LLM_USER));
}

function fillCost(attributes: FlatAttributes): void {
  const text = attributes.getText(litellm.ATTR_HIDDEN_PARAMS);
  const hidden = text === undefined ? undefined : readJsonContainer(text);
  const said: JsonObject | undefined = isJsonObject(hidden) ? hidden : undefined;
  for (const [from, to] of COST_KEYS) attributes.fill(to, toNumber(attributes.get(from)));
  attributes.fill(openinference.ATTR_LLM_COST_TOTAL, toNumber(said?.['response_cost']));
}

const COST_KEYS: readonly (readonly [from: string, to: string])[] = [
  [litellm.ATTR_LITELLM_COST_TOTAL, openinference.ATTR_LLM_COST_TOTAL],
  [litellm.ATTR_LITELLM_COST_INPUT, openinference.ATTR_LLM_COST_PROMPT],
  [litellm.ATTR_LITELLM_COST_OUTPUT, openinference.ATTR_LLM_COST_COMPLETION],
  [litellm.ATTR_LITELLM_COST_CACHE_READ, openinference.ATTR_LLM_COST_PROMPT_DETAILS_CACHE_READ],
  [litellm.ATTR_LITELLM_COST_CACHE_CREATION, openinference.ATTR_LLM_COST_PROMPT_DETAILS_CACHE_WRITE],
  [litellm.ATTR_GEN_AI_COST_TOTAL, openinference.ATTR_LLM_COST_TOTAL],
  [litellm.ATTR_GEN_AI_COST_INPUT, openinference.ATTR_LLM_COST_PROMPT],
  [litellm.ATTR_GEN_AI_COST_OUTPUT, openinference.ATTR_LLM_COST_COMPLETION],
  [litellm.ATTR_GEN_AI_COST_CACHE_READ, openinference.ATTR_LLM_COST_PROMPT_DETAILS_CACHE_READ],
  [litellm.ATTR_GEN_AI_COST_CACHE_CREATION, openinference.ATTR_LLM_COST_PROMPT_DETAILS_CACHE_WRITE],
  [litellm.ATTR_GEN_AI_COST_REASONING, openinference.ATTR_LLM_COST_COMPLETION_DETAILS_REASONING],
];

/** Definitions by their index, each field in an attribute of its own: `gen_ai.tool.0.name`, `llm.tools.0.name`. */
function readTools(attributes: FlatAttributes, toolKey: RegExp): Map<string, JsonObject> {
  const tools = new Map<string, JsonObject>();
  for (const [key, value] of attributes.entries()) {
    const found = toolKey.exec(key);
    if (found === null) continue;
    const [, index = '', field = ''] = found;
    const tool = tools.get(index) ?? jsonObject();
    tool[field] = (typeof value === 'string' && field === 'parameters' ? readJsonContainer(value) : undefined) ?? value;
    tools.set(index, tool);
  }
  return new Map([...tools].sort(([a], [b]) => Number(a) - Number(b)));
}

const GEN_AI_TOOL_KEY = /^gen_ai\.tool\.(\d{1,5})\.(name|description|parameters)$/;
/** For services that read OpenInference, which has another form. */
const LLM_TOOL_KEY = /^llm\.tools\.(\d{1,5})\.(name|description|parameters)$/;

/** A list as JSON text, where the conventions have a list. */
function fillFinishReason(attributes: FlatAttributes): void {
  const text = attributes.getText(genAi.ATTR_GEN_AI_RESPONSE_FINISH_REASONS);
  const reasons = text === undefined ? undefined : readJsonContainer(text);
  if (Array.isArray(reasons))
    attributes.fill(openinference.ATTR_LLM_FINISH_REASON, reasons.length === 1 ? reasons[0] : reasons);
}

/** `openai/gpt-4o` is the model behind the provider. */
function withoutGateway(model: string | undefined): string | undefined {
  return model?.slice(model.indexOf('/') + 1);
}

export const docs: DialectDocs = {
  title: 'LiteLLM',
  checkedVersion: 'litellm 1.110.2, callbacks otel and langfuse_otel; the proxy’s spans from their sources',
  mappings: [
    {
      from: 'llm.request.type, litellm.call_type, gen_ai.operation.name, litellm.guardrail.name',
      to: 'openinference.span.kind',
      note: 'raw_gen_ai_request, which repeats its parent in the provider’s names, is CHAIN.',
    },
    { from: 'gen_ai.request.model', to: 'llm.request.model_name', note: 'Without the provider in front of the slash.' },
    {
      from: 'litellm.cost.*, gen_ai.cost.*, hidden_params',
      to: 'llm.cost.*',
      note: 'The cost of the input includes the caches’, the cost of the output the reasoning’s.',
    },
    {
      from: 'metadata.requester_metadata, litellm.metadata.*',
      to: 'session.id, user.id, tag.tags, metadata',
      note: 'The first is a Python repr.',
    },
    { from: 'litellm.end_user.id, llm.user, metadata.user_api_key_end_user_id', to: 'user.id' },
    {
      from: 'gen_ai.tool.N.*, llm.tools.N.name, llm.tools.N.description, llm.tools.N.parameters',
      to: 'llm.tools',
    },
    {
      from: 'llm.response.model, gen_ai.response.model',
      to: 'llm.response.model_name, llm.model_name, embedding.model_name',
      note: 'llm.response.model in spans for Langfuse, Arize and Phoenix.',
    },
    { from: 'embedding.vector.N', to: 'embedding.embeddings', note: 'Each vector as JSON text.' },
    { from: 'gen_ai.system', to: 'llm.provider, llm.system' },
    { from: 'gen_ai.response.finish_reasons', to: 'llm.finish_reason', note: 'A list as JSON text.' },
  ],
  notCovered: [
    'The request to the provider (llm.<provider>.*) keeps its own names.',
    'Discounts, margins and the cost of built-in tools and guardrails are in the total, and keep their own names.',
  ],
};
