/**
 * OpenTelemetry's GenAI conventions, in span events and in log records: one event for all, or the older one event for
 * each message.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-events.md
 */
import { type JsonObject, jsonObject } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import { nest } from '../fill.ts';
import {
  type Carrier,
  isCarrier,
  lastContent,
  listCarriers,
  readCarriedMessages,
  readDetails,
} from '../gen-ai/carriers.ts';
import { fillContent, fillToolRun } from '../gen-ai/content.ts';
import type { Lookup } from '../gen-ai/lookup.ts';
import { fillOperation } from '../gen-ai/operation.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'gen-ai-events';

export function speaks({ events, records }: SpanEvidence): boolean {
  return events.some(isSpoken) || records.some(isSpoken);
}

function isSpoken(event: Carrier): boolean {
  return isCarrier(event) || isEvaluation(event);
}

function isEvaluation(event: Carrier): boolean {
  return event.name === genAi.EVENT_GEN_AI_EVALUATION_RESULT;
}

/** Reads what is carried together with the span's attributes: one call is often told in both. */
export function translate(span: SpanEvidence): void {
  const { attributes } = span;
  const carriers = listCarriers(span);
  const details = readDetails(carriers);
  const get: Lookup = (key) => attributes.getUnclaimed(key) ?? details[key];
  fillOperation(get, attributes);
  const carried = readCarriedMessages(carriers);
  const isCall = carried.input.read.length > 0 || carried.output.read.length > 0;
  if (isCall && get(genAi.ATTR_GEN_AI_OPERATION_NAME) === undefined) {
    attributes.fill(openinference.ATTR_SPAN_KIND, 'LLM');
  }
  fillContent(get, attributes, carried);
  if (attributes.get(openinference.ATTR_SPAN_KIND) === 'TOOL') {
    // The events of a tool's own span are no conversation: what the tool was given, and what it gave.
    fillToolRun(
      attributes,
      lastContent(carriers, genAi.EVENT_GEN_AI_TOOL_MESSAGE),
      lastContent(carriers, genAi.EVENT_GEN_AI_CHOICE),
    );
  }
  fillEvaluations(span);
}

function fillEvaluations({ attributes, events, records }: SpanEvidence): void {
  const found = [...events, ...records].filter(isEvaluation).map((event) => nest('evaluation', readEvaluation(event)));
  if (found.length > 0) attributes.fillNamespace(openinference.ATTR_EVALUATIONS, found);
}

function readEvaluation(event: Carrier): JsonObject {
  const evaluation = jsonObject();
  for (const [field, key] of EVALUATION_FIELDS) {
    const value = event.attributes[key];
    if (value !== undefined) evaluation[field] = value;
  }
  return evaluation;
}

const EVALUATION_FIELDS: readonly (readonly [field: string, key: string])[] = [
  ['name', genAi.ATTR_GEN_AI_EVALUATION_NAME],
  ['label', genAi.ATTR_GEN_AI_EVALUATION_SCORE_LABEL],
  ['score', genAi.ATTR_GEN_AI_EVALUATION_SCORE_VALUE],
  ['explanation', genAi.ATTR_GEN_AI_EVALUATION_EXPLANATION],
];

export const docs: DialectDocs = {
  title: 'OpenTelemetry GenAI, in span events and log records',
  checkedVersion: 'semantic conventions 1.27 to 1.41, and semantic-conventions-genai of November 2026',
  mappings: [
    {
      from: 'gen_ai.client.inference.operation.details',
      to: 'as the same attributes on the span',
      note: 'Several are joined in order; attributes of the span itself take precedence.',
    },
    {
      from: 'gen_ai.system.message, gen_ai.user.message, gen_ai.assistant.message, gen_ai.tool.message',
      to: 'llm.input_messages, input.value',
      note: 'In attributes, in gen_ai.event.content, or in the body of a log record: a map, JSON text or plain text.',
    },
    { from: 'gen_ai.choice', to: 'llm.output_messages, output.value' },
    {
      from: 'gen_ai.tool.message, gen_ai.choice on a tool’s own span',
      to: 'tool.parameters, input.value, output.value',
    },
    { from: 'gen_ai.content.prompt (gen_ai.prompt)', to: 'llm.input_messages' },
    { from: 'gen_ai.content.completion (gen_ai.completion)', to: 'llm.output_messages' },
    {
      from: 'messages of a span of kind EMBEDDING',
      to: 'embedding.embeddings, input.value',
      note: 'An answer that consists of numbers is a vector.',
    },
    { from: 'gen_ai.evaluation.result', to: 'evaluations' },
  ],
  notCovered: [
    'A message event without the id of the call that it answers is not joined to the call.',
    'If the span has events of the conventions, the log records are not read, because they say the same.',
  ],
};
