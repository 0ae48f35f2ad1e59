/**
 * MLflow's tracing, over OpenTelemetry.
 * @see https://mlflow.org/docs/latest/genai/concepts/span/
 */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as mlflow from '#semconv/mlflow';
import * as openinference from '#semconv/openinference';
import { fillDocuments, fillTools, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillToolRun } from '../gen-ai/content.ts';
import { readJsonText } from '../json-value.ts';
import { fillEmbeddingCall } from '../messages/embedding-body.ts';
import { fillCall, fillProvider, readRequest } from '../messages/fill-call.ts';
import { listTools } from '../messages/request-body.ts';
import { readResponseBody } from '../messages/response-body.ts';
import { toNumber } from '../number.ts';
import { fillUsage, readUsage } from '../usage-object.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'mlflow';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasRoot('mlflow');
}

export function translate({ attributes, name: spanName }: SpanEvidence): void {
  const type = readOf(attributes, mlflow.ATTR_MLFLOW_SPAN_TYPE);
  attributes.fill(openinference.ATTR_SPAN_KIND, typeof type === 'string' ? KINDS.get(type.toUpperCase()) : undefined);
  attributes.fill(openinference.ATTR_SESSION_ID, readOf(attributes, mlflow.ATTR_MLFLOW_TRACE_SESSION));
  attributes.fill(openinference.ATTR_USER_ID, readOf(attributes, mlflow.ATTR_MLFLOW_TRACE_USER));
  const inputs = readOf(attributes, mlflow.ATTR_MLFLOW_SPAN_INPUTS);
  const outputs = readOf(attributes, mlflow.ATTR_MLFLOW_SPAN_OUTPUTS);
  switch (attributes.get(openinference.ATTR_SPAN_KIND)) {
    case 'LLM':
      fillModelCall(attributes, inputs, outputs);
      break;
    case 'EMBEDDING':
      attributes.fill(openinference.ATTR_EMBEDDING_MODEL_NAME, readOf(attributes, mlflow.ATTR_MLFLOW_LLM_MODEL));
      fillFigures(attributes);
      fillEmbeddingCall(attributes, inputs, outputs);
      break;
    case 'TOOL':
      attributes.fill(openinference.ATTR_TOOL_NAME, spanName);
      fillToolRun(attributes, inputs, outputs);
      break;
    case 'RETRIEVER':
      if (Array.isArray(outputs)) fillDocuments(attributes, openinference.ATTR_RETRIEVAL_DOCUMENTS, outputs);
      break;
    default:
  }
  fillValue(attributes, INPUT, inputs);
  fillValue(attributes, OUTPUT, outputs);
}

const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['LLM', 'LLM'],
  ['CHAT_MODEL', 'LLM'],
  ['CHAIN', 'CHAIN'],
  ['PARSER', 'CHAIN'],
  ['WORKFLOW', 'CHAIN'],
  ['TASK', 'CHAIN'],
  ['MEMORY', 'CHAIN'],
  ['AGENT', 'AGENT'],
  ['TOOL', 'TOOL'],
  ['RETRIEVER', 'RETRIEVER'],
  ['RERANKER', 'RERANKER'],
  ['EMBEDDING', 'EMBEDDING'],
  ['GUARDRAIL', 'GUARDRAIL'],
  ['EVALUATOR', 'EVALUATOR'],
]);

function fillModelCall(
  attributes: FlatAttributes,
  inputs: JsonValue | undefined,
  outputs: JsonValue | undefined,
): void {
  attributes.fill(openinference.ATTR_LLM_MODEL_NAME, readOf(attributes, mlflow.ATTR_MLFLOW_LLM_MODEL));
  fillFigures(attributes);
  fillTools(attributes, listTools(readOf(attributes, mlflow.ATTR_MLFLOW_CHAT_TOOLS)));
  const messages = inputs ?? readOf(attributes, mlflow.ATTR_MLFLOW_CHAT_MESSAGES);
  fillCall(attributes, readRequest(messages), readResponseBody(outputs));
}

function fillFigures(attributes: FlatAttributes): void {
  fillProvider(attributes, readOf(attributes, mlflow.ATTR_MLFLOW_LLM_PROVIDER));
  const usage = readOf(attributes, mlflow.ATTR_MLFLOW_CHAT_TOKEN_USAGE);
  if (isJsonObject(usage)) fillUsage(attributes, readUsage(usage));
  const cost = readOf(attributes, mlflow.ATTR_MLFLOW_LLM_COST);
  if (isJsonObject(cost)) fillCost(attributes, cost);
}

function fillCost(attributes: FlatAttributes, cost: JsonObject): void {
  attributes.fill(openinference.ATTR_LLM_COST_PROMPT, toNumber(cost['input_cost']));
  attributes.fill(openinference.ATTR_LLM_COST_COMPLETION, toNumber(cost['output_cost']));
  attributes.fill(openinference.ATTR_LLM_COST_TOTAL, toNumber(cost['total_cost']));
}

/** The value of an attribute out of its JSON; a text that is none is itself. */
function readOf(attributes: FlatAttributes, key: string): JsonValue | undefined {
  const value = attributes.get(key);
  const said = typeof value === 'string' ? (readJsonText(value) ?? value) : value;
  return said === null ? undefined : said;
}

export const docs: DialectDocs = {
  title: 'MLflow',
  checkedVersion: 'mlflow 3.17, from its sources, without a recording',
  mappings: [
    { from: 'mlflow.spanType', to: 'openinference.span.kind' },
    {
      from: 'mlflow.spanInputs',
      to: 'input.value, llm.input_messages, llm.tools, llm.invocation_parameters, tool.parameters, embedding.embeddings',
    },
    { from: 'mlflow.spanOutputs', to: 'output.value, llm.output_messages, retrieval.documents, embedding.embeddings' },
    { from: 'mlflow.chat.messages, mlflow.chat.tools', to: 'llm.input_messages, llm.tools' },
    { from: 'mlflow.llm.model, mlflow.llm.provider', to: 'llm.model_name, embedding.model_name, llm.provider' },
    {
      from: 'mlflow.chat.tokenUsage',
      to: 'llm.token_count.*',
      note: 'If there are more cached tokens than input tokens, the input excludes them (Anthropic and Bedrock in older versions), so they are added.',
    },
    { from: 'mlflow.llm.cost', to: 'llm.cost.*' },
    { from: 'mlflow.trace.session, mlflow.trace.user', to: 'session.id, user.id' },
    { from: 'the name of a TOOL span', to: 'tool.name' },
  ],
  notCovered: ['mlflow.linkedPrompts, mlflow.traceTag.* and assessments keep their own names.'],
};
