/**
 * LiteLLM's own OpenTelemetry callback, of the package and of the proxy. What it has of the GenAI conventions they read.
 * @see https://docs.litellm.ai/docs/observability/opentelemetry_integration
 */
import { isJsonObject, type JsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as litellm from '#semconv/litellm';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonContainer } from '../json-value.ts';
import { fillModels, fillProvider, readSaidObject } from '../messages/fill-call.ts';
import { fillMetadata } from '../metadata.ts';
import { toNumber } from '../number.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'litellm';

export function speaks({ scope }: SpanEvidence): boolean {
  return scope.name === litellm.SCOPE_LITELLM;
}

export function translate({ attributes, name: spanName }: SpanEvidence): void {
  attributes.fill(openinference.ATTR_SPAN_KIND, readKind(attributes, spanName));
  fillWho(attributes);
  fillCost(attributes);
  fillFinishReason(attributes);
  if (attributes.get(openinference.ATTR_SPAN_KIND) === 'LLM') {
    const answered = attributes.get(genAi.ATTR_GEN_AI_RESPONSE_MODEL);
    fillModels(attributes, withoutGateway(attributes.getText(genAi.ATTR_GEN_AI_REQUEST_MODEL)), answered);
    fillProvider(attributes, attributes.get(genAi.ATTR_GEN_AI_SYSTEM));
  }
}

function readKind(attributes: FlatAttributes, spanName: string): SpanKind | undefined {
  // Around it is the span of the call, which says the same in names that everybody knows.
  if (spanName === litellm.SPAN_RAW_GEN_AI_REQUEST) return 'CHAIN';
  const type =
    attributes.getText(litellm.ATTR_LLM_REQUEST_TYPE) ?? attributes.getText(genAi.ATTR_GEN_AI_OPERATION_NAME);
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
  attributes.fill(openinference.ATTR_USER_ID, attributes.getText(litellm.ATTR_METADATA_END_USER));
  attributes.fill(openinference.ATTR_USER_ID, attributes.getText(litellm.ATTR_LLM_USER));
}

function fillCost(attributes: FlatAttributes): void {
  const text = attributes.getText(litellm.ATTR_HIDDEN_PARAMS);
  const hidden = text === undefined ? undefined : readJsonContainer(text);
  const said: JsonObject | undefined = isJsonObject(hidden) ? hidden : undefined;
  const total = toNumber(attributes.get(litellm.ATTR_GEN_AI_COST_TOTAL)) ?? toNumber(said?.['response_cost']);
  attributes.fill(openinference.ATTR_LLM_COST_TOTAL, total);
  attributes.fill(openinference.ATTR_LLM_COST_PROMPT, toNumber(attributes.get(litellm.ATTR_GEN_AI_COST_INPUT)));
  attributes.fill(openinference.ATTR_LLM_COST_COMPLETION, toNumber(attributes.get(litellm.ATTR_GEN_AI_COST_OUTPUT)));
}

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
  checkedVersion: 'litellm 1.80, from the sources, without a recording',
  mappings: [
    {
      from: 'llm.request.type, gen_ai.operation.name',
      to: 'openinference.span.kind',
      note: 'raw_gen_ai_request, which repeats its parent in the provider’s names, is CHAIN.',
    },
    { from: 'gen_ai.request.model', to: 'llm.request.model_name', note: 'Without the provider before the slash.' },
    { from: 'gen_ai.cost.*, hidden_params', to: 'llm.cost.*' },
    { from: 'metadata.requester_metadata', to: 'session.id, user.id, tag.tags', note: 'A Python repr.' },
    { from: 'llm.user, metadata.user_api_key_end_user_id', to: 'user.id' },
    { from: 'gen_ai.response.finish_reasons', to: 'llm.finish_reason', note: 'A list as JSON text.' },
  ],
  notCovered: ['What went to the provider (llm.<provider>.*) stays under its own names.'],
};
