/**
 * Requests to models, as providers' APIs and frameworks take them: OpenAI's two APIs, Anthropic's, Gemini's, Bedrock's,
 * and those that frameworks make of them.
 */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import { joinMessages, type Messages, readSystemInstructions } from '../gen-ai/messages.ts';
import { readJsonContainer } from '../json-value.ts';
import { readPythonContainer } from '../python-repr.ts';
import { readPlainMessages } from './plain-message.ts';
import { toPlainPart } from './plain-part.ts';

/** What a request says. */
export interface RequestBody {
  readonly messages: Messages;
  /** Definitions of the tools offered. */
  readonly tools: readonly JsonObject[];
  /** The scalars and options beside them. */
  readonly parameters: JsonObject;
  readonly model: string | undefined;
}

/** Reads a request, or only its messages; `undefined` where the value has none. */
export function readRequestBody(value: JsonValue | undefined): RequestBody | undefined {
  if (Array.isArray(value)) {
    const messages = readPlainMessages(value, 'user');
    return messages.read.length === 0 ? undefined : { messages, tools: [], parameters: jsonObject(), model: undefined };
  }
  if (!isJsonObject(value)) return undefined;
  const config = isJsonObject(value['config']) ? value['config'] : value;
  const said = CONVERSATION_KEYS.map((key) => value[key]).find(isConversation);
  const messages = joinMessages([
    readSystem(SYSTEM_KEYS.map((key) => value[key] ?? config[key]).find((system) => isGiven(system))),
    said === undefined ? readMessage(value) : readPlainMessages(said, 'user'),
  ]);
  const tools = listTools(value['tools'] ?? config['tools'] ?? toolsOfBedrock(value['toolConfig']));
  if (messages.read.length === 0 && tools.length === 0) return undefined;
  const { model, model_id: modelId, modelId: bedrockModel } = value;
  const name = [model, modelId, bedrockModel].find((candidate) => typeof candidate === 'string');
  return { messages, tools, parameters: readParameters(value), model: typeof name === 'string' ? name : undefined };
}

const CONVERSATION_KEYS: readonly string[] = ['messages', 'input', 'contents', 'prompt', 'prompts'];
const SYSTEM_KEYS: readonly string[] = ['system', 'instructions', 'system_instruction', 'systemInstruction'];

function isGiven(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function isConversation(value: JsonValue | undefined): boolean {
  return isGiven(value) && (typeof value === 'string' || typeof value === 'object');
}

/** A message alone is a conversation, too. */
function readMessage(value: JsonObject): Messages {
  return value['role'] === undefined ? readPlainMessages(undefined, 'user') : readPlainMessages([value], 'user');
}

function readSystem(value: JsonValue | undefined): Messages {
  if (isJsonObject(value)) return readSystemInstructions(value['parts'] ?? value['content'] ?? [toPlainPart(value)]);
  if (!Array.isArray(value)) return readSystemInstructions(value);
  return readSystemInstructions(
    value.map((part) => (isJsonObject(part) ? (part['content'] ?? toPlainPart(part)) : part)),
  );
}

/** Definitions, also those inside Gemini's and Bedrock's lists, and those that Python printed. */
export function listTools(value: JsonValue | undefined): JsonObject[] {
  const list = typeof value === 'string' ? readJsonContainer(value) : value;
  if (!Array.isArray(list)) return isJsonObject(list) ? listNamedTools(list) : [];
  return list.flatMap((item): JsonObject[] => {
    const tool = typeof item === 'string' ? (readJsonContainer(item) ?? readPythonContainer(item)) : item;
    if (!isJsonObject(tool)) return [];
    const { function_declarations: snake, functionDeclarations: camel, toolSpec, data } = tool;
    // Haystack puts a tool's fields below its class.
    if (isJsonObject(data) && typeof data['name'] === 'string') return [data];
    const declarations = snake ?? camel;
    if (Array.isArray(declarations)) return declarations.filter(isJsonObject);
    return [isJsonObject(toolSpec) ? fromBedrock(toolSpec) : tool];
  });
}

/** An object of tools by their names, each with its description and schema. */
function listNamedTools(tools: JsonObject): JsonObject[] {
  return Object.keys(tools).flatMap((name) => {
    const tool = tools[name];
    if (!isJsonObject(tool)) return [];
    const named = Object.assign(jsonObject(), tool);
    named['name'] ??= name;
    return [named];
  });
}

function toolsOfBedrock(config: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(config) ? config['tools'] : undefined;
}

function fromBedrock({ name, description, inputSchema }: JsonObject): JsonObject {
  const tool = jsonObject();
  if (name !== undefined) tool['name'] = name;
  if (description !== undefined) tool['description'] = description;
  const schema = isJsonObject(inputSchema) ? (inputSchema['json'] ?? inputSchema) : inputSchema;
  if (schema !== undefined) tool['parameters'] = schema;
  return tool;
}

function readParameters(request: JsonObject): JsonObject {
  const parameters = jsonObject();
  for (const key of Object.keys(request)) {
    const value = request[key];
    if (isGiven(value) && !NO_PARAMETERS.has(key)) parameters[key] = value;
  }
  return parameters;
}

const NO_PARAMETERS: ReadonlySet<string> = new Set([
  ...CONVERSATION_KEYS,
  ...SYSTEM_KEYS,
  'model',
  'tools',
  'toolConfig',
  'config',
  'role',
  'content',
  'tool_calls',
]);
