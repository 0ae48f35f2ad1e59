/** Adds what the request and the answer of a model call say, each a whole body in one value. */
import { isJsonObject, type JsonObject, type JsonValue, jsonObject } from '#base/json';
import * as openinference from '#semconv/openinference';
import { fillTools } from '../fill.ts';
import type { FlatAttributes } from '../flat-attributes.ts';
import { fillMessages } from '../gen-ai/content.ts';
import type { Messages } from '../gen-ai/messages.ts';
import { readProvider } from '../gen-ai/provider.ts';
import { readJsonItems, toJsonText } from '../json-value.ts';
import { readPythonContainer } from '../python-repr.ts';
import { fillUsage } from '../usage-object.ts';
import { readPlainMessages } from './plain-message.ts';
import { type RequestBody, readRequestBody } from './request-body.ts';
import type { ResponseBody } from './response-body.ts';

/** The JSON or Python that a text holds, else the value itself. */
export function readSaid(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? (readJsonItems(value) ?? readPythonContainer(value) ?? value) : value;
}

/** The object that a value is or that a text holds. */
export function readSaidObject(value: JsonValue | undefined): JsonObject | undefined {
  const said = readSaid(value);
  return isJsonObject(said) ? said : undefined;
}

/** Reads what went in, as {@link readSaid} gave it; a text that is no body is the only message. */
export function readRequest(said: JsonValue | undefined): RequestBody | undefined {
  if (typeof said !== 'string') return readRequestBody(said);
  return { messages: readPlainMessages(said, 'user'), tools: [], parameters: jsonObject(), model: undefined };
}

/** Adds everything about a call. */
export function fillCall(
  attributes: FlatAttributes,
  request: RequestBody | undefined,
  answer: ResponseBody | undefined,
): void {
  fillFigures(attributes, request, answer);
  fillTools(attributes, request?.tools ?? []);
  fillMessages(attributes, request?.messages ?? NO_MESSAGES, answer?.messages ?? NO_MESSAGES);
}

const NO_MESSAGES: Messages = { sent: [], read: [] };

/** Adds who was asked and who answered, with which parameters, why it ended, and what was used. */
export function fillFigures(
  attributes: FlatAttributes,
  request: RequestBody | undefined,
  answer: ResponseBody | undefined,
): void {
  fillModels(attributes, request?.model, answer?.model);
  const { parameters } = request ?? {};
  if (parameters !== undefined && Object.keys(parameters).length > 0) {
    attributes.fill(openinference.ATTR_LLM_INVOCATION_PARAMETERS, toJsonText(parameters));
  }
  attributes.fill(openinference.ATTR_LLM_FINISH_REASON, answer?.finishReason);
  if (answer?.usage !== undefined) fillUsage(attributes, answer.usage);
}

/** Adds who answers, by a name that may be of the GenAI conventions, of OpenInference, or of the framework. */
export function fillProvider(attributes: FlatAttributes, providerName: JsonValue | undefined): void {
  if (typeof providerName !== 'string' || providerName === '') return;
  const { provider, system } = readProvider(providerName);
  attributes.fill(openinference.ATTR_LLM_PROVIDER, provider);
  attributes.fill(openinference.ATTR_LLM_SYSTEM, system);
}

/** Adds the model that was asked for and the one that answered. */
export function fillModels(
  attributes: FlatAttributes,
  requested: JsonValue | undefined,
  answered: JsonValue | undefined,
): void {
  attributes.fill(openinference.ATTR_LLM_MODEL_NAME, answered ?? requested);
  attributes.fill(openinference.ATTR_LLM_REQUEST_MODEL_NAME, requested);
  attributes.fill(openinference.ATTR_LLM_RESPONSE_MODEL_NAME, answered);
}
