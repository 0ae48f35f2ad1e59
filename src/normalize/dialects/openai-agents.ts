/**
 * The OpenAI Agents SDK, by exporters that send its spans' data as it is: the name of the span is its type. Exporters in
 * OpenInference and in the GenAI conventions need nothing more than those.
 * @see https://openai.github.io/openai-agents-python/tracing/
 */
import type { JsonValue } from '#base/json';
import { isJsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as genAi from '#semconv/gen-ai';
import * as agents from '#semconv/openai-agents';
import * as openinference from '#semconv/openinference';
import { fillTools, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillMessages, fillToolRun } from '../gen-ai/content.ts';
import { NO_MESSAGES } from '../gen-ai/messages.ts';
import { readJsonContainer } from '../json-value.ts';
import { readPlainMessages } from '../messages/plain-message.ts';
import { listTools } from '../messages/request-body.ts';
import { readResponseBody } from '../messages/response-body.ts';
import { fillUsage, readUsage } from '../usage-object.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'openai-agents';

export function speaks({ scope, attributes }: SpanEvidence): boolean {
  return agents.SCOPE_OPENAI_AGENTS.test(scope.name) || attributes.get(agents.ATTR_HANDOFF_TO) !== undefined;
}

export function translate({ name: spanName, attributes }: SpanEvidence): void {
  const isNamed = attributes.get(genAi.ATTR_GEN_AI_OPERATION_NAME) !== undefined;
  if (isNamed) return;
  if (attributes.get(agents.ATTR_HANDOFF_TO) !== undefined) attributes.fill(openinference.ATTR_SPAN_KIND, 'CHAIN');
  const kind = KINDS.get(spanName);
  if (kind === undefined) return;
  attributes.fill(openinference.ATTR_SPAN_KIND, kind);
  const input = readValue(attributes, agents.ATTR_INPUT);
  const output = readValue(attributes, agents.ATTR_OUTPUT);
  switch (kind) {
    case 'AGENT':
      attributes.fill(openinference.ATTR_AGENT_NAME, attributes.getText(agents.ATTR_NAME));
      break;
    case 'TOOL':
      attributes.fill(openinference.ATTR_TOOL_NAME, attributes.getText(agents.ATTR_NAME));
      fillToolRun(attributes, input, output);
      break;
    case 'LLM':
      fillCall(attributes, input, output);
      break;
    default:
  }
  fillValue(attributes, INPUT, input);
  fillValue(attributes, OUTPUT, output);
}

/** The types of the SDK's spans. */
const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['agent', 'AGENT'],
  ['function', 'TOOL'],
  ['generation', 'LLM'],
  ['response', 'LLM'],
  ['guardrail', 'GUARDRAIL'],
  ['handoff', 'CHAIN'],
  ['custom', 'CHAIN'],
]);

function fillCall(attributes: FlatAttributes, input: JsonValue | undefined, output: JsonValue | undefined): void {
  const response = readResponseBody(readValue(attributes, agents.ATTR_RESPONSE) ?? output);
  fillMessages(attributes, readPlainMessages(input, 'user'), response?.messages ?? NO_MESSAGES);
  attributes.fill(openinference.ATTR_LLM_MODEL_NAME, attributes.getText(agents.ATTR_MODEL) ?? response?.model);
  fillTools(attributes, listTools(readValue(attributes, agents.ATTR_TOOLS)));
  const usage = readValue(attributes, agents.ATTR_USAGE);
  if (isJsonObject(usage)) fillUsage(attributes, readUsage(usage));
  else if (response?.usage !== undefined) fillUsage(attributes, response.usage);
}

function readValue(attributes: FlatAttributes, key: string): JsonValue | undefined {
  const value = attributes.get(key);
  return (typeof value === 'string' ? readJsonContainer(value) : undefined) ?? value;
}

export const docs: DialectDocs = {
  title: 'OpenAI Agents, by other exporters',
  checkedVersion: 'openai-agents 0.24.0 (read, not recorded)',
  mappings: [
    {
      from: 'span name agent, function, generation, response, guardrail, handoff, custom',
      to: 'openinference.span.kind',
      note: 'In a scope whose name contains openai.agents.',
    },
    { from: 'name', to: 'agent.name, tool.name' },
    { from: 'input, output, response', to: 'input.value, output.value, llm.input_messages, llm.output_messages' },
    { from: 'model, tools, usage', to: 'llm.model_name, llm.tools, llm.token_count.*' },
    { from: 'gen_ai.handoff.to_agent', to: 'openinference.span.kind', note: 'CHAIN.' },
  ],
  notCovered: ['Spans of speech and transcription have no kind.'],
};
