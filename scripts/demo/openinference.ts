import { countTokens, type Document, type JsonValue, type Message, type ToolDefinition } from './conversation.ts';
import { costOf, type Model, type Usage } from './models.ts';
import { type AttributeMap, Double } from './otlp.ts';
import type { Random } from './random.ts';

/**
 * Attributes in OpenInference's flat form.
 * @see https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md
 */
type Attributes = Record<string, AttributeMap[string]>;

/** Input and output; text is sent as it is, anything else as JSON with its MIME type. */
export function inputOutput(values: { readonly input?: JsonValue; readonly output?: JsonValue }): AttributeMap {
  const attributes: Attributes = {};
  for (const side of ['input', 'output'] as const) {
    const value = values[side];
    if (value === undefined) continue;
    attributes[`${side}.value`] = typeof value === 'string' ? value : JSON.stringify(value);
    attributes[`${side}.mime_type`] = typeof value === 'string' ? 'text/plain' : 'application/json';
  }
  return attributes;
}

export function messageAttributes(side: 'input' | 'output', messages: readonly Message[]): AttributeMap {
  const attributes: Attributes = {};
  messages.forEach((message, position) => {
    const prefix = `llm.${side}_messages.${position}.message`;
    attributes[`${prefix}.role`] = message.role;
    const parts = contentParts(message);
    if (parts.length === 1 && parts[0]?.['type'] === 'text') {
      attributes[`${prefix}.content`] = message.content;
    } else {
      parts.forEach((part, partPosition) => {
        for (const [key, value] of Object.entries(part)) {
          attributes[`${prefix}.contents.${partPosition}.message_content.${key}`] = value;
        }
      });
    }
    if (message.role === 'tool') {
      attributes[`${prefix}.tool_call_id`] = message.toolCallId;
      attributes[`${prefix}.name`] = message.name;
    }
    if (message.role !== 'assistant') return;
    message.toolCalls?.forEach((call, callPosition) => {
      const callPrefix = `${prefix}.tool_calls.${callPosition}.tool_call`;
      attributes[`${callPrefix}.id`] = call.id;
      attributes[`${callPrefix}.function.name`] = call.name;
      attributes[`${callPrefix}.function.arguments`] = JSON.stringify(call.arguments);
    });
  });
  return attributes;
}

function contentParts(message: Message): Attributes[] {
  const parts: Attributes[] = [];
  if (message.role === 'assistant' && message.reasoning !== undefined) {
    parts.push({ type: 'reasoning', text: message.reasoning });
  }
  if (message.content !== '') parts.push({ type: 'text', text: message.content });
  if (message.role === 'user' && message.imageUrl !== undefined) {
    parts.push({ type: 'image', 'image.image.url': message.imageUrl });
  }
  return parts;
}

/** The schema of each tool that a model is offered, in the form that the provider takes. */
export function offeredTools(tools: readonly ToolDefinition[], provider: Model['provider']): Record<string, string> {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }, position) => [
      `llm.tools.${position}.tool.json_schema`,
      JSON.stringify(
        provider === 'anthropic'
          ? { name, description, input_schema: parameters }
          : { type: 'function', function: { name, description, parameters } },
      ),
    ]),
  );
}

export function tokenCounts(usage: Usage): AttributeMap {
  return {
    'llm.token_count.prompt': usage.promptTokens,
    'llm.token_count.completion': usage.completionTokens,
    'llm.token_count.total': usage.promptTokens + usage.completionTokens,
    'llm.token_count.prompt_details.cache_read': usage.cacheReadTokens || undefined,
    'llm.token_count.prompt_details.cache_write': usage.cacheWriteTokens || undefined,
    'llm.token_count.completion_details.reasoning': usage.reasoningTokens || undefined,
  };
}

/** What the client says the call cost, in USD. */
export function reportedCost(model: Model, usage: Usage): AttributeMap {
  const { promptUsd, completionUsd } = costOf(model, usage);
  return {
    'llm.cost.prompt': new Double(promptUsd),
    'llm.cost.completion': new Double(completionUsd),
    'llm.cost.total': new Double(promptUsd + completionUsd),
  };
}

export function documentAttributes(
  list: 'retrieval.documents' | 'reranker.input_documents' | 'reranker.output_documents',
  documents: readonly Document[],
): AttributeMap {
  const attributes: Attributes = {};
  documents.forEach((document, position) => {
    const prefix = `${list}.${position}.document`;
    attributes[`${prefix}.id`] = document.id;
    attributes[`${prefix}.content`] = document.content;
    if (document.score !== undefined) attributes[`${prefix}.score`] = new Double(document.score);
    if (document.metadata !== undefined) attributes[`${prefix}.metadata`] = JSON.stringify(document.metadata);
  });
  return attributes;
}

/** Texts with short vectors that depend on nothing but the text. */
export function embeddingAttributes(model: string, texts: readonly string[], random: Random): AttributeMap {
  const attributes: Attributes = {
    'embedding.model_name': model,
    'embedding.invocation_parameters': JSON.stringify({ model, encoding_format: 'float', dimensions: 12 }),
    'llm.token_count.prompt': texts.reduce((sum, text) => sum + countTokens(text), 0),
    'llm.token_count.total': texts.reduce((sum, text) => sum + countTokens(text), 0),
  };
  texts.forEach((text, position) => {
    const numbers = random.fork('vector', text);
    attributes[`embedding.embeddings.${position}.embedding.text`] = text;
    attributes[`embedding.embeddings.${position}.embedding.vector`] = Array.from(
      { length: 12 },
      () => new Double(Math.round(numbers.between(-1, 1) * 1e6) / 1e6),
    );
  });
  return attributes;
}
