/** What OpenLLMetry writes as the input and output of a function or step, without what it has around them. */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import { readJsonText } from '../json-value.ts';
import { readPythonRepr } from '../python-repr.ts';

/** What went in. */
export interface EntityInput {
  readonly value: JsonValue | undefined;
  /** Of a tool: the call that it answers. */
  readonly callId: string | undefined;
}

/** What came out. */
export interface EntityOutput {
  readonly value: JsonValue | undefined;
  /** Of a retriever. */
  readonly documents: readonly JsonValue[];
}

/** Reads `traceloop.entity.input`; what has no known form around it stays as it is, to the byte. */
export function unwrapInput(text: string | undefined): EntityInput {
  const read = text === undefined ? undefined : readJsonText(text);
  if (!isJsonObject(read)) return { value: typeof read === 'string' ? read : text, callId: undefined };
  const { args, kwargs, inputs, input_str: inputText, query } = read;
  if (Array.isArray(args) && isJsonObject(kwargs))
    return { value: callArguments(args, kwargs) ?? text, callId: undefined };
  const callId = isJsonObject(kwargs) ? kwargs['tool_call_id'] : undefined;
  const given = inputs ?? (typeof inputText === 'string' ? (readPythonRepr(inputText) ?? inputText) : undefined);
  const isCallback = isJsonObject(kwargs) || Array.isArray(read['tags']);
  return {
    value: (isCallback ? (given ?? query) : undefined) ?? text,
    callId: typeof callId === 'string' ? callId : undefined,
  };
}

/** Reads `traceloop.entity.output`; what has no known form around it stays as it is, to the byte. */
export function unwrapOutput(text: string | undefined): EntityOutput {
  const read = text === undefined ? undefined : readJsonText(text);
  if (!isJsonObject(read)) return { value: typeof read === 'string' ? read : text, documents: [] };
  const { output, outputs, documents, kwargs } = read;
  if (Array.isArray(documents)) return { value: text, documents };
  const given = isJsonObject(kwargs) ? (outputs ?? output) : undefined;
  return { value: (given === undefined ? undefined : messageContent(given)) ?? text, documents: [] };
}

/** The arguments of a function: the names with their values, or the only one; all of it where it had both or many. */
function callArguments(args: readonly JsonValue[], kwargs: JsonObject): JsonValue | undefined {
  const [only] = args;
  const hasNames = Object.keys(kwargs).length > 0;
  if (args.length === 0) return hasNames ? kwargs : undefined;
  return args.length === 1 && !hasNames ? only : undefined;
}

/** LangChain's serialisation of a tool's message has what the tool said inside. */
function messageContent(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || value['lc'] === undefined || !isJsonObject(value['kwargs'])) return value;
  const { content, type } = value['kwargs'];
  return type === 'tool' && content !== undefined ? content : value;
}
