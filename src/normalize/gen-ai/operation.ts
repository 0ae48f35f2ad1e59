/** What kind of step a GenAI span is, and its model, parameters, tokens, and to whom it belongs. */
import type { JsonValue } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonContainer, toJsonText } from '../json-value.ts';
import { toNumber } from '../number.ts';
import { readKind } from './kind.ts';
import { firstText, firstValue, type Lookup } from './lookup.ts';
import { readParameters } from './parameters.ts';
import { readProvider } from './provider.ts';
import { fillTokens } from './tokens.ts';

/** Adds kind, model, provider, parameters, tokens, agent and conversation where they are missing. */
export function fillOperation(get: Lookup, attributes: FlatAttributes): void {
  attributes.fill(openinference.ATTR_SPAN_KIND, readKind(get));
  attributes.fill(openinference.ATTR_SESSION_ID, firstValue(get, SESSION_KEYS));
  attributes.fill(openinference.ATTR_USER_ID, firstValue(get, USER_KEYS));
  attributes.fill(openinference.ATTR_AGENT_NAME, firstText(get, [genAi.ATTR_GEN_AI_AGENT_NAME]));
  attributes.fill(openinference.ATTR_PROMPT_ID, firstText(get, [genAi.ATTR_GEN_AI_PROMPT_NAME]));
  const version = firstText(get, [genAi.ATTR_GEN_AI_PROMPT_VERSION]);
  attributes.fill(openinference.ATTR_LLM_PROMPT_TEMPLATE_VERSION, version);
  const kind = attributes.get(openinference.ATTR_SPAN_KIND);
  // Tools and stores have providers, too, but no models.
  if (kind !== 'TOOL' && kind !== 'RETRIEVER') fillModel(get, attributes, kind);
  fillTokens(get, attributes);
  fillCost(get(genAi.ATTR_GEN_AI_USAGE_COST), attributes);
}

/** Adds what a call cost. Libraries that know no price say 0, which is no cost but none known. */
export function fillCost(cost: JsonValue | undefined, attributes: FlatAttributes): void {
  if ((toNumber(cost) ?? 0) > 0) attributes.fill(openinference.ATTR_LLM_COST_TOTAL, cost);
}

/** One reason is a text, several are a list; some libraries send the list as JSON text. */
function fillFinishReason(reasons: JsonValue | undefined, attributes: FlatAttributes): void {
  const read = (typeof reasons === 'string' ? readJsonContainer(reasons) : undefined) ?? reasons;
  if (Array.isArray(read) && read.length === 0) return;
  const said = Array.isArray(read) && read.length === 1 ? read[0] : read;
  if (said !== '') attributes.fill(openinference.ATTR_LLM_FINISH_REASON, said);
}

const SESSION_KEYS: readonly string[] = [
  openinference.ATTR_SESSION_ID,
  genAi.ATTR_GEN_AI_CONVERSATION_ID,
  genAi.ATTR_GEN_AI_THREAD_ID,
];

/** `enduser.id` is OpenTelemetry's for the user of a service. */
const USER_KEYS: readonly string[] = [openinference.ATTR_USER_ID, 'enduser.id', 'llm.user', 'gen_ai.user'];

function fillModel(get: Lookup, attributes: FlatAttributes, kind: JsonValue | undefined): void {
  const requested = firstText(get, [genAi.ATTR_GEN_AI_REQUEST_MODEL]);
  const answered = firstText(get, [genAi.ATTR_GEN_AI_RESPONSE_MODEL]);
  const isEmbedding = kind === 'EMBEDDING';
  if (isEmbedding) {
    attributes.fill(openinference.ATTR_EMBEDDING_MODEL_NAME, answered ?? requested);
  } else if (kind === 'RERANKER') {
    attributes.fill(openinference.ATTR_RERANKER_MODEL_NAME, answered ?? requested);
  } else {
    attributes.fill(openinference.ATTR_LLM_MODEL_NAME, answered ?? requested);
    attributes.fill(openinference.ATTR_LLM_REQUEST_MODEL_NAME, requested);
    attributes.fill(openinference.ATTR_LLM_RESPONSE_MODEL_NAME, answered);
  }
  const providerName = firstText(get, [genAi.ATTR_GEN_AI_PROVIDER_NAME, genAi.ATTR_GEN_AI_SYSTEM]);
  if (providerName !== undefined) {
    const { provider, system } = readProvider(providerName);
    attributes.fill(openinference.ATTR_LLM_PROVIDER, provider);
    attributes.fill(openinference.ATTR_LLM_SYSTEM, system);
  }
  const parameters = readParameters(get);
  if (Object.keys(parameters).length > 0) {
    attributes.fill(
      isEmbedding ? openinference.ATTR_EMBEDDING_INVOCATION_PARAMETERS : openinference.ATTR_LLM_INVOCATION_PARAMETERS,
      toJsonText(parameters),
    );
  }
  fillFinishReason(get(genAi.ATTR_GEN_AI_RESPONSE_FINISH_REASONS), attributes);
}
