/** Tools: those a model may call, and the one that a span ran. */
import type { JsonObject, JsonValue } from '#base/json';
import { attributeAt } from '#domain/attributes';
import { isEmpty, readList, readObject, readStructure, readText, textAt } from './read-json.ts';

/** A tool that was offered to a model. */
export interface ToolDefinition {
  readonly name: string | undefined;
  readonly description: string | undefined;
  /** The schema of its parameters. */
  readonly parameters: JsonValue | undefined;
  /** All of it, as it was sent. */
  readonly definition: JsonValue;
}

/** The run of a tool. */
export interface ToolRun {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly callId: string | undefined;
  readonly schema: JsonValue | undefined;
  /** What it was called with, where that is not the span's input. */
  readonly arguments: JsonValue | undefined;
}

/** The tools that were offered, in any of the forms that providers have. */
export function readToolDefinitions(attributes: JsonObject): ToolDefinition[] {
  return (readList(attributeAt(attributes, 'llm.tools')) ?? []).map(readDefinition);
}

/** What `tool.*` tells about the run. */
export function readToolRun(attributes: JsonObject): ToolRun {
  const parameters = readStructure(attributeAt(attributes, 'tool.parameters'));
  const hasSchema = isSchema(parameters);
  const definition = readStructure(attributeAt(attributes, 'tool.json_schema'));
  const schema = definition ?? (hasSchema ? parameters : undefined);
  return {
    name: textAt(attributes, 'tool.name'),
    description: textAt(attributes, 'tool.description'),
    callId: textAt(attributes, 'tool.id') ?? textAt(attributes, 'tool_call.id'),
    schema: isEmpty(schema) ? undefined : schema,
    arguments: hasSchema || isEmpty(parameters) ? undefined : parameters,
  };
}

function readDefinition(item: JsonValue): ToolDefinition {
  const holder = readObject(item);
  const tool = readObject(holder?.['tool']) ?? holder;
  const definition = readStructure(tool?.['json_schema']) ?? tool ?? item;
  const outer = readObject(definition);
  // OpenAI puts it under `function`, Bedrock under `toolSpec`; Anthropic calls the schema `input_schema`.
  const inner = readObject(outer?.['function'] ?? outer?.['toolSpec']) ?? outer;
  const parameters = readStructure(
    inner?.['parameters'] ?? inner?.['input_schema'] ?? inner?.['inputSchema'] ?? inner?.['inputs'],
  );
  return {
    name: readText(inner?.['name'] ?? tool?.['name']),
    description: readText(inner?.['description'] ?? tool?.['description']),
    parameters: isEmpty(parameters) ? undefined : parameters,
    definition,
  };
}

/** Producers put under the same key what the tool takes, or what it took. */
function isSchema(parameters: JsonValue | undefined): boolean {
  const object = readObject(parameters);
  if (object === undefined) return false;
  if (readText(object['type']) === 'object' || readObject(object['properties']) !== undefined) return true;
  const fields = Object.values(object).map(readObject);
  return fields.length > 0 && fields.every((field) => field?.['type'] !== undefined);
}
