/**
 * Claude Code and the Claude Agent SDK: names without a namespace on the spans, what was said mostly in log records.
 * @see https://code.claude.com/docs/en/monitoring-usage
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import type { SpanKind } from '#domain/span';
import * as claudeCode from '#semconv/claude-code';
import * as genAi from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import { fillTools, fillValue, INPUT, OUTPUT } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import type { Carrier } from '../gen-ai/carriers.ts';
import { fillMessages, fillToolRun } from '../gen-ai/content.ts';
import { firstText, type Lookup } from '../gen-ai/lookup.ts';
import { joinInstructions, NO_MESSAGES, readMessages, readSystemInstructions } from '../gen-ai/messages.ts';
import { fillCost } from '../gen-ai/operation.ts';
import { fillTokens, type TokenKeys } from '../gen-ai/tokens.ts';
import { readNewContext, readToolInput } from '../claude-code/headed-text.ts';
import { readJsonContainer } from '../json-value.ts';
import { fillFigures } from '../messages/fill-call.ts';
import { listTools, readRequestBody } from '../messages/request-body.ts';
import { readResponseBody } from '../messages/response-body.ts';
import type { DialectDocs, SpanEvidence } from './dialect.ts';

export const name = 'claude-code';

export function speaks({ name: spanName, scope, attributes }: SpanEvidence): boolean {
  if (scope.name.startsWith(claudeCode.SCOPE_CLAUDE_CODE)) return true;
  return spanName.startsWith(claudeCode.PREFIX_CLAUDE_CODE) && attributes.get(claudeCode.ATTR_SPAN_TYPE) !== undefined;
}

export function translate(span: SpanEvidence): void {
  const { attributes } = span;
  const get: Lookup = (key) => attributes.get(key);
  const type = withoutPrefix(firstText(get, [claudeCode.ATTR_SPAN_TYPE]) ?? span.name);
  attributes.fill(openinference.ATTR_SPAN_KIND, KINDS.get(type) ?? 'CHAIN');
  fillTokens(get, attributes, TOKENS, { isInputUncached: true });
  const said = readSaid(span);
  if (type === 'interaction') {
    fillTurn(attributes, given(get(claudeCode.ATTR_USER_PROMPT)), said);
  } else if (type === 'llm_request') {
    fillCall(attributes, get, said);
  } else if (type === 'tool') {
    fillTool(attributes, get, said);
  }
}

const KINDS: ReadonlyMap<string, SpanKind> = new Map<string, SpanKind>([
  ['interaction', 'AGENT'],
  ['llm_request', 'LLM'],
  ['tool', 'TOOL'],
]);

const TOKENS: TokenKeys = {
  input: [claudeCode.ATTR_INPUT_TOKENS],
  output: [claudeCode.ATTR_OUTPUT_TOKENS],
  total: [],
  cacheRead: [claudeCode.ATTR_CACHE_READ_TOKENS],
  cacheWrite: [claudeCode.ATTR_CACHE_CREATION_TOKENS],
  reasoning: [],
  inputAudio: [],
  outputAudio: [],
};

/** What events and log records say. */
interface Said {
  readonly statements: readonly Statement[];
  /** The field of the last one of that name, unless it was not to be sent. */
  readonly last: (event: string, field: string) => JsonValue | undefined;
  /** All of these names, in their order. */
  readonly all: (...events: readonly string[]) => readonly Statement[];
}

/** An event or log record, by its name. */
interface Statement {
  readonly event: string;
  readonly fields: JsonObject;
}

function readSaid({ events, records }: SpanEvidence): Said {
  return toSaid([...events, ...records].map((carrier) => ({ event: nameOf(carrier), fields: carrier.attributes })));
}

function toSaid(statements: readonly Statement[]): Said {
  return {
    statements,
    last: (event, field) => given(statements.findLast((statement) => statement.event === event)?.fields[field]),
    all: (...events) => statements.filter(({ event }) => events.includes(event)),
  };
}

/** The name of a log record may be its own, its attribute, or its body. */
function nameOf({ name: own, attributes, body }: Carrier): string {
  const names = [own, attributes['event.name'], body];
  return withoutPrefix(names.find((one): one is string => typeof one === 'string' && one !== '') ?? '');
}

function withoutPrefix(text: string): string {
  return text.startsWith(claudeCode.PREFIX_CLAUDE_CODE) ? text.slice(claudeCode.PREFIX_CLAUDE_CODE.length) : text;
}

function given(value: JsonValue | undefined): JsonValue | undefined {
  return value === claudeCode.REDACTED || value === '' ? undefined : value;
}

/** The call that names the session, in a trace of its own, is logged with the ids of the turn. */
function withoutTitle({ statements }: Said): Said {
  return toSaid(statements.filter(({ fields }) => fields['query_source'] !== claudeCode.SOURCE_SESSION_TITLE));
}

/** One turn of the conversation: the log records of its calls and tools belong to it, and not to their own spans. */
function fillTurn(attributes: FlatAttributes, prompt: JsonValue | undefined, all: Said): void {
  const said = withoutTitle(all);
  const calls = said.all(claudeCode.EVENT_API_REQUEST);
  const models = new Set(calls.map(({ fields }) => fields['model']));
  // A turn of several models has none of its own.
  const model = models.size === 1 ? calls[0]?.fields['model'] : undefined;
  const steps = said
    .all(claudeCode.EVENT_TOOL_RESULT, claudeCode.EVENT_ASSISTANT_RESPONSE)
    .flatMap(({ event, fields }) =>
      event === claudeCode.EVENT_TOOL_RESULT ? toCall(fields) : (toAnswer(fields) ?? []),
    );
  fillValue(attributes, OUTPUT, said.last(claudeCode.EVENT_ASSISTANT_RESPONSE, 'response'));
  fillMessages(attributes, readMessages(prompt, 'user'), NO_MESSAGES);
  if (steps.length > 0)
    attributes.fillNamespace(openinference.ATTR_LLM_OUTPUT_MESSAGES, [...readMessages(steps, 'assistant').read]);
  attributes.isDeriving = true;
  attributes.fill(openinference.ATTR_LLM_RESPONSE_MODEL_NAME, model);
}

function toAnswer({ response }: JsonObject): JsonObject | undefined {
  const content = given(response);
  return content === undefined ? undefined : Object.assign(jsonObject(), { role: 'assistant', content });
}

function toCall(fields: JsonObject): JsonObject {
  return Object.assign(jsonObject(), { role: 'assistant', parts: [toCallPart(fields)] });
}

/** What is logged of a tool's run is its call: the result is on the tool's span. */
function toCallPart(fields: JsonObject): JsonObject {
  const call = jsonObject();
  call['type'] = 'tool_call';
  call['id'] = fields['tool_use_id'] ?? null;
  call['name'] = readToolName(fields);
  call['arguments'] = given(fields['tool_input']) ?? null;
  return call;
}

/** The tools of servers are all logged under one name, and their own as parameters. */
function readToolName({ tool_name: toolName, tool_parameters: text }: JsonObject): JsonValue {
  const parameters = typeof text === 'string' ? readJsonContainer(text) : text;
  if (toolName !== claudeCode.ANY_MCP_TOOL || !isJsonObject(parameters)) return toolName ?? null;
  const { mcp_server_name: server, mcp_tool_name: tool } = parameters;
  return typeof server === 'string' && typeof tool === 'string' ? `mcp__${server}__${tool}` : toolName;
}

function fillCall(attributes: FlatAttributes, get: Lookup, said: Said): void {
  const request = readRequestBody(readBody(said.last(claudeCode.EVENT_API_REQUEST_BODY, 'body')));
  const response = readResponseBody(readBody(said.last(claudeCode.EVENT_API_RESPONSE_BODY, 'body')));
  fillTools(attributes, request?.tools ?? listNames(get(claudeCode.ATTR_TOOLS)));
  const told = readSystemInstructions(given(get(claudeCode.ATTR_USER_SYSTEM_PROMPT)));
  const asked = readMessages(readNewContext(given(get(claudeCode.ATTR_NEW_CONTEXT))), 'user');
  const spoken =
    given(get(claudeCode.ATTR_RESPONSE_MODEL_OUTPUT)) ?? said.last(claudeCode.EVENT_ASSISTANT_RESPONSE, 'response');
  if (response === undefined) fillValue(attributes, OUTPUT, spoken);
  fillMessages(
    attributes,
    request?.messages ?? joinInstructions(told, asked),
    response?.messages ?? readMessages(toWholeAnswer(spoken, said), 'assistant'),
  );
  attributes.isDeriving = true;
  const answered = said.last(claudeCode.EVENT_API_REQUEST, 'model');
  attributes.fill(openinference.ATTR_LLM_MODEL_NAME, answered);
  attributes.fill(openinference.ATTR_LLM_RESPONSE_MODEL_NAME, answered);
  fillFigures(attributes, request, response);
  fillCost(said.last(claudeCode.EVENT_API_REQUEST, 'cost_usd'), attributes);
}

/** What a call said, and the tools that it called, as one message. */
function toWholeAnswer(spoken: JsonValue | undefined, said: Said): JsonValue | undefined {
  const calls = said.all(claudeCode.EVENT_TOOL_RESULT).map(({ fields }) => toCallPart(fields));
  if (calls.length === 0) return spoken;
  const text = spoken === undefined ? [] : [Object.assign(jsonObject(), { type: 'text', content: spoken })];
  return Object.assign(jsonObject(), { role: 'assistant', parts: [...text, ...calls] });
}

/** Definitions are sent once a process, in log records of the interaction. */
function listNames(tools: JsonValue | undefined): JsonObject[] {
  return listTools(tools).map(({ name: toolName }) => Object.assign(jsonObject(), { name: toolName }));
}

/** A body that was cut off is no JSON any more, and no request. */
function readBody(body: JsonValue | undefined): JsonValue | undefined {
  const read = typeof body === 'string' ? readJsonContainer(body) : body;
  return isJsonObject(read) ? read : undefined;
}

function fillTool(attributes: FlatAttributes, get: Lookup, said: Said): void {
  attributes.fill(
    openinference.ATTR_TOOL_NAME,
    firstText(get, [genAi.ATTR_GEN_AI_TOOL_NAME, claudeCode.ATTR_TOOL_NAME]),
  );
  const asked =
    readToolInput(get(claudeCode.ATTR_TOOL_INPUT)) ??
    said.last(claudeCode.EVENT_TOOL_RESULT, 'tool_input') ??
    said.last(claudeCode.EVENT_TOOL_OUTPUT, 'input');
  fillToolRun(attributes, given(asked), said.last(claudeCode.EVENT_TOOL_OUTPUT, 'output'));
  fillValue(attributes, INPUT, firstText(get, [claudeCode.ATTR_FULL_COMMAND, claudeCode.ATTR_FILE_PATH]));
  fillValue(attributes, OUTPUT, said.last(claudeCode.EVENT_TOOL_OUTPUT, 'content'));
}

export const docs: DialectDocs = {
  title: 'Claude Code, Claude Agent SDK',
  checkedVersion: 'Claude Code 2.1.329 and 2.1.332, claude-agent-sdk 0.2.186 and 0.2.189',
  mappings: [
    {
      from: 'span.type',
      to: 'openinference.span.kind',
      note: 'interaction is AGENT, llm_request LLM, tool TOOL; the steps inside a tool are CHAIN.',
    },
    {
      from: 'input_tokens',
      to: 'llm.token_count.prompt',
      note: 'cache_read_tokens and cache_creation_tokens are added, because it leaves them out.',
    },
    { from: 'output_tokens', to: 'llm.token_count.completion' },
    {
      from: 'cache_read_tokens, cache_creation_tokens',
      to: 'llm.token_count.prompt_details.cache_read, llm.token_count.prompt_details.cache_write',
    },
    { from: 'user_prompt', to: 'llm.input_messages, input.value', note: 'Unless it is <REDACTED>.' },
    {
      from: 'log records assistant_response: response, tool_result: tool_name, tool_parameters, tool_use_id, tool_input',
      to: 'llm.output_messages, output.value',
      note: 'On an interaction: all of them in order but those of the call that names the session; the output is the last response.',
    },
    {
      from: 'user_system_prompt, new_context',
      to: 'llm.input_messages',
      note: 'Detailed tracing; new_context holds the user’s texts and the results of tools since the call before, each under a heading.',
    },
    { from: 'response.model_output', to: 'llm.output_messages' },
    { from: 'tools', to: 'llm.tools', note: 'Detailed tracing: names alone.' },
    {
      from: 'api_request_body, api_response_body: body',
      to: 'llm.input_messages, llm.output_messages, llm.tools',
      note: 'If it is complete.',
    },
    {
      from: 'api_request_body, api_response_body: body',
      to: 'llm.model_name, llm.request.model_name, llm.response.model_name, llm.invocation_parameters, llm.finish_reason, llm.token_count.*',
      isDerived: true,
    },
    {
      from: 'log records assistant_response: response, tool_result: tool_name, tool_parameters, tool_use_id, tool_input',
      to: 'llm.output_messages',
      note: 'On a call: those with its request_id in its trace, which carry the id of the interaction; response.model_output takes precedence.',
    },
    {
      from: 'log record api_request: model, cost_usd',
      to: 'llm.model_name, llm.response.model_name, llm.cost.total',
      isDerived: true,
      note: 'On an interaction: only the model, and only if all of its calls use the same one.',
    },
    { from: 'tool_name', to: 'tool.name', note: 'gen_ai.tool.name takes precedence.' },
    {
      from: 'tool_input, log record tool_result: tool_input, full_command, file_path',
      to: 'tool.parameters, input.value',
    },
    { from: 'event tool.output: output, content', to: 'output.value' },
  ],
  notCovered: [
    'Log records name the span of the interaction, not of the tool that they describe, so the span of a tool has its input only in detailed tracing, or if they carry its id. Those of a call of another trace, such as the one that names the session, tell nothing of it.',
    'new_context of a tool, which repeats the event tool.output, and system_reminders keep their own names. The whole system prompt and the definitions of tools are log records.',
    'system_prompt_preview is only a part of the system prompt and is not translated.',
    'Log records about plugins, settings and decisions are shown as log records.',
  ],
};
