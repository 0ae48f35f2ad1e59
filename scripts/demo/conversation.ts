/** What passes between people, models and tools, in no particular telemetry convention. */

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

export type Message =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly imageUrl?: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly reasoning?: string;
      readonly toolCalls?: readonly ToolCall[];
    }
  | { readonly role: 'tool'; readonly toolCallId: string; readonly name: string; readonly content: string };

export type AssistantMessage = Extract<Message, { role: 'assistant' }>;

/** A found passage. */
export interface Document {
  readonly id: string;
  readonly content: string;
  readonly score?: number;
  readonly metadata?: JsonObject;
}

/** A call that a script foresees, with what the tool answers; the id is given when the model makes the call. */
export interface ScriptedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result: JsonValue;
  /** The tool raises this text instead of answering. */
  readonly failure?: string;
}

/** About how many tokens a text has: four characters each, two in scripts that are not Latin. */
export function countTokens(text: string): number {
  const wideCount = text.match(/[^\p{ASCII}\p{Script=Latin}]/gu)?.length ?? 0;
  return Math.ceil((text.length - wideCount) / 4 + wideCount / 2);
}

/** About how many tokens a message takes in a prompt, role and separators included. */
export function countMessageTokens(message: Message): number {
  switch (message.role) {
    case 'system':
    case 'tool':
      return 4 + countTokens(message.content);
    case 'user':
      return 4 + countTokens(message.content) + (message.imageUrl === undefined ? 0 : 765);
    case 'assistant': {
      const calls = message.toolCalls ?? [];
      const callTokens = calls.reduce((sum, call) => sum + 12 + countTokens(JSON.stringify(call.arguments)), 0);
      return 4 + countTokens(message.content) + callTokens;
    }
    default:
      return message satisfies never;
  }
}
