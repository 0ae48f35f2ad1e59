/**
 * What the OpenInference processor for the Vercel AI SDK makes of its spans, which keep the SDK's own attributes: media
 * are gone, some texts are JSON twice.
 * @see https://github.com/Arize-ai/openinference/tree/main/js/packages/openinference-vercel
 */
import { isJsonObject, type JsonValue } from '#base/json';
import * as openinference from '#semconv/openinference';
import * as ai from '#semconv/vercel-ai';
import type { FlatAttributes } from '../flat-attributes.ts';
import { readJsonContainer, readJsonText } from '../json-value.ts';
import { completeMessages } from '../messages/complete-messages.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';
import { readAnswer, readPrompt } from './vercel-ai.ts';

export const name = 'openinference-vercel';

export function speaks({ attributes }: SpanEvidence): boolean {
  return attributes.hasRoot('ai') && attributes.hasRoot('openinference');
}

export function translate({ attributes }: SpanEvidence): void {
  if (!attributes.hasRoot('llm')) return;
  attributes.isDeriving = true;
  let hasMedia = false;
  for (const [key, value] of attributes.entries()) {
    if (typeof value !== 'string' || !key.startsWith('llm.')) continue;
    if (MEDIA_TYPES.has(value) && PART_TYPE.test(key)) hasMedia = true;
    else repair(attributes, key, value);
  }
  if (hasMedia) {
    const prompt = attributes.getText(ai.ATTR_AI_PROMPT_MESSAGES) ?? attributes.getText(ai.ATTR_AI_PROMPT);
    completeMessages(attributes, openinference.ATTR_LLM_INPUT_MESSAGES, readPrompt(prompt).read);
  }
  if (attributes.get(`${openinference.ATTR_LLM_OUTPUT_MESSAGES}.0.message.role`) !== undefined) {
    completeMessages(attributes, openinference.ATTR_LLM_OUTPUT_MESSAGES, readAnswer(attributes)?.messages.read ?? []);
  }
}

const MEDIA_TYPES: ReadonlySet<string> = new Set(['file', 'image']);

function repair(attributes: FlatAttributes, key: string, value: string): void {
  // The processor marks where a call stood in the SDK's parts; the call itself is among those of the message.
  if (PART_TYPE.test(key) && (value === 'tool-call' || value === 'tool-result')) attributes.rewrite(key, null);
  else if (key.endsWith('.tool_call.function.arguments')) rewriteText(attributes, key, unquote(value));
  else if (MESSAGE_CONTENT.test(key) && attributes.get(key.replace(/content$/, 'role')) === 'tool') {
    rewriteText(attributes, key, unwrap(value));
  }
}

const PART_TYPE = /^llm\.(?:in|out)put_messages\.\d+\.message\.contents\.\d+\.message_content\.type$/;
const MESSAGE_CONTENT = /^llm\.(?:in|out)put_messages\.\d+\.message\.content$/;

function rewriteText(attributes: FlatAttributes, key: string, value: JsonValue | undefined): void {
  if (typeof value === 'string') attributes.rewrite(key, value);
}

/** JSON in a JSON text. */
function unquote(value: string): JsonValue | undefined {
  return value.startsWith('"') ? readJsonText(value) : undefined;
}

/** What a tool gave, out of the wrapping that says its form. */
function unwrap(value: string): JsonValue | undefined {
  const output = value.startsWith('{') ? readJsonContainer(value) : undefined;
  if (!isJsonObject(output) || output['value'] === undefined || typeof output['type'] !== 'string') return undefined;
  return typeof output['value'] === 'string' ? output['value'] : JSON.stringify(output['value']);
}

export const docs: DialectDocs = {
  title: 'OpenInference for the Vercel AI SDK',
  checkedVersion: '@arizeai/openinference-vercel 2.8.1',
  mappings: [
    {
      from: 'ai.prompt.messages, ai.prompt',
      to: 'llm.input_messages',
      isDerived: true,
      note: 'Content that the processor left out of the messages, such as images.',
    },
    { from: 'ai.response.reasoning, ai.response.text', to: 'llm.output_messages', isDerived: true },
    {
      from: 'llm.*_messages.N.message.tool_calls.M.tool_call.function.arguments',
      to: 'the same',
      isDerived: true,
      note: 'JSON inside a JSON text is read once.',
    },
    {
      from: 'llm.input_messages.N.message.content of a tool',
      to: 'the same',
      isDerived: true,
      note: 'Taken from the object that states its type.',
    },
    {
      from: 'llm.*_messages.N.message.contents.M.message_content.type = tool-call',
      to: 'none',
      isDerived: true,
      note: 'The call is added to the calls of its message.',
    },
  ],
  notCovered: [],
};
