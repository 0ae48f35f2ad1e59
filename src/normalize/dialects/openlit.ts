/**
 * OpenLIT: the GenAI conventions with names of its own beside them, and counts as the provider gives them.
 * @see https://github.com/openlit/openlit/tree/main/sdk/python/src/openlit
 */
import type { JsonValue } from '#base/json';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import * as openlit from '#semconv/openlit';
import { fillValue, INPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillMessages } from '../gen-ai/content.ts';
import { firstText, type Lookup } from '../gen-ai/lookup.ts';
import { listCalls, NO_MESSAGES, readMessages } from '../gen-ai/messages.ts';
import { fillTokens } from '../gen-ai/tokens.ts';
import { readPythonRepr } from '../python-repr.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'openlit';

export function speaks({ scope, attributes }: SpanEvidence): boolean {
  return scope.name.startsWith(openlit.SCOPE_OPENLIT) || attributes.get(openlit.ATTR_TELEMETRY_SDK_NAME) === 'openlit';
}

export function translate({ scope, attributes }: SpanEvidence): void {
  const get: Lookup = (key) => attributes.get(key);
  const operation = firstText(get, [genAi.ATTR_GEN_AI_OPERATION_NAME]);
  if (operation === undefined) fillFunction(attributes, get);
  else if (operation === 'chat') fillAnswer(attributes, get);
  if (operation === 'vectordb') fillStore(attributes, get);
  if (isCountedUncached(scope.name, get)) fillTokens(get, attributes, undefined, { isInputUncached: true });
}

/** In the messages a call of the Responses API has the id of its item; the results will name that of the call. */
function fillAnswer(attributes: FlatAttributes, get: Lookup): void {
  const ids = firstText(get, [genAi.ATTR_GEN_AI_TOOL_CALL_ID])?.split(/\s*,\s*/) ?? [];
  if (ids.length === 0) return;
  const answer = readMessages(get(genAi.ATTR_GEN_AI_OUTPUT_MESSAGES), 'assistant');
  const calls = listCalls(answer);
  if (calls.length !== ids.length || !calls.some(({ id }) => typeof id === 'string' && id.startsWith(ITEM_ID))) return;
  for (const [index, call] of calls.entries()) call['id'] = ids[index] as string;
  fillMessages(attributes, NO_MESSAGES, answer);
}

const ITEM_ID = 'fc_';

/** Its instrumentations of Anthropic and Bedrock pass on what those count: the input without what was cached. */
function isCountedUncached(scopeName: string, get: Lookup): boolean {
  const [, library] = INSTRUMENTATION.exec(scopeName) ?? [];
  const source = library ?? firstText(get, [genAi.ATTR_GEN_AI_PROVIDER_NAME, genAi.ATTR_GEN_AI_SYSTEM]);
  return source !== undefined && UNCACHED.has(source);
}

const INSTRUMENTATION = /^openlit\.instrumentation\.(\w+)/;

const UNCACHED: ReadonlySet<string> = new Set(['anthropic', 'bedrock', 'aws.bedrock']);

/** A function that the program has traced. */
function fillFunction(attributes: FlatAttributes, get: Lookup): void {
  const positional = get(openlit.ATTR_FUNCTION_ARGS);
  const named = get(openlit.ATTR_FUNCTION_KWARGS);
  if (positional === undefined && named === undefined) return;
  attributes.fill(openinference.ATTR_SPAN_KIND, 'CHAIN');
  const args = readRepr(positional);
  const kwargs = readRepr(named);
  const hasNamed = kwargs !== undefined && kwargs !== '{}' && JSON.stringify(kwargs) !== '{}';
  if (!hasNamed && Array.isArray(args) && args.length === 1) fillValue(attributes, INPUT, args[0]);
  else if (!hasNamed) fillValue(attributes, INPUT, args);
  else if (Array.isArray(args) && args.length === 0) fillValue(attributes, INPUT, kwargs);
  else fillValue(attributes, INPUT, [args ?? null, kwargs]);
}

function readRepr(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? (readPythonRepr(value) ?? value) : value;
}

/** Looking something up in a store is retrieval; what else is done there has no kind. */
function fillStore(attributes: FlatAttributes, get: Lookup): void {
  const operation = firstText(get, [openlit.ATTR_DB_OPERATION_NAME, 'db.operation'])?.toLowerCase();
  if (operation === undefined || !LOOK_UPS.has(operation)) return;
  attributes.fill(openinference.ATTR_SPAN_KIND, 'RETRIEVER');
  fillValue(attributes, INPUT, firstText(get, [openlit.ATTR_DB_QUERY_TEXT, openlit.ATTR_DB_STATEMENT]));
}

const LOOK_UPS: ReadonlySet<string> = new Set(['query', 'select', 'search', 'get']);

export const docs: DialectDocs = {
  title: 'OpenLIT',
  checkedVersion: 'openlit 1.45.0',
  mappings: [
    {
      from: 'gen_ai.usage.input_tokens of Anthropic and Bedrock',
      to: 'llm.token_count.prompt',
      note: 'The cached tokens are added, because it leaves them out.',
    },
    {
      from: 'gen_ai.tool.call.id of a model call',
      to: 'llm.output_messages.*.message.tool_calls.*.tool_call.id',
      note: 'Replaces the ids of items (fc_…), if there are as many.',
    },
    { from: 'gen_ai.usage.cost', to: 'llm.cost.total', note: 'Unless it is 0, which means that no price was known.' },
    {
      from: 'function.args, function.kwargs',
      to: 'input.value',
      note: 'A tuple and a dictionary as Python’s repr; kind CHAIN.',
    },
    {
      from: 'db.operation.name of a vector store',
      to: 'openinference.span.kind',
      note: 'RETRIEVER for query, select, search and get.',
    },
    { from: 'db.query.text, db.statement', to: 'input.value' },
  ],
  notCovered: [
    'gen_ai.client.token.usage is the sum without cached tokens and is not translated.',
    'gen_ai.tool.name and gen_ai.tool.args of a model call repeat the calls of the answer and are not translated.',
    'Guards, evaluations and GPU figures are not translated.',
  ],
};
