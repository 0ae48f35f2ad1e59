import { describe, expect, it } from 'vitest';
import type { Message } from './conversation.ts';
import { MODELS } from './models.ts';
import {
  documentAttributes,
  embeddingAttributes,
  inputOutput,
  messageAttributes,
  offeredTools,
  reportedCost,
  tokenCounts,
} from './openinference.ts';
import { Double } from './otlp.ts';
import { Random } from './random.ts';

describe('messageAttributes', () => {
  it('joins a call and its result by the id', () => {
    const messages: readonly Message[] = [
      { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'look', arguments: { at: 'it' } }] },
      { role: 'tool', toolCallId: 'call_1', name: 'look', content: '{"seen":true}' },
    ];
    expect(messageAttributes('input', messages)).toEqual({
      'llm.input_messages.0.message.role': 'assistant',
      'llm.input_messages.0.message.tool_calls.0.tool_call.id': 'call_1',
      'llm.input_messages.0.message.tool_calls.0.tool_call.function.name': 'look',
      'llm.input_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"at":"it"}',
      'llm.input_messages.1.message.role': 'tool',
      'llm.input_messages.1.message.content': '{"seen":true}',
      'llm.input_messages.1.message.tool_call_id': 'call_1',
      'llm.input_messages.1.message.name': 'look',
    });
  });

  it('splits text and picture into parts', () => {
    const message: Message = { role: 'user', content: 'What is this?', imageUrl: 'data:image/png;base64,AA==' };
    expect(messageAttributes('input', [message])).toMatchObject({
      'llm.input_messages.0.message.contents.0.message_content.type': 'text',
      'llm.input_messages.0.message.contents.0.message_content.text': 'What is this?',
      'llm.input_messages.0.message.contents.1.message_content.type': 'image',
      'llm.input_messages.0.message.contents.1.message_content.image.image.url': 'data:image/png;base64,AA==',
    });
  });
});

describe('offeredTools', () => {
  it('follows the form of the provider', () => {
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
    const key = 'llm.tools.0.tool.json_schema';
    expect(JSON.parse(offeredTools(tools, 'openai')[key] ?? '')).toHaveProperty('function.parameters.type');
    expect(JSON.parse(offeredTools(tools, 'anthropic')[key] ?? '')).toHaveProperty('input_schema.type');
  });
});

describe('values', () => {
  it('names the MIME type of input and output', () => {
    expect(inputOutput({ input: 'text', output: { json: 1 } })).toEqual({
      'input.value': 'text',
      'input.mime_type': 'text/plain',
      'output.value': '{"json":1}',
      'output.mime_type': 'application/json',
    });
  });

  it('leaves out token details that are zero', () => {
    const usage = { promptTokens: 9, completionTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 3 };
    expect(tokenCounts(usage)).toMatchObject({
      'llm.token_count.total': 13,
      'llm.token_count.prompt_details.cache_read': undefined,
      'llm.token_count.completion_details.reasoning': 3,
    });
  });

  it('charges cached tokens less', () => {
    const usage = { promptTokens: 1e6, completionTokens: 1e6, cacheWriteTokens: 0, reasoningTokens: 0 };
    expect(reportedCost(MODELS['gpt-4o'], { ...usage, cacheReadTokens: 0 })['llm.cost.total']).toEqual(
      new Double(12.5),
    );
    expect(reportedCost(MODELS['gpt-4o'], { ...usage, cacheReadTokens: 1e6 })['llm.cost.total']).toEqual(
      new Double(11.25),
    );
  });

  it('sends scores of documents as doubles and metadata as JSON', () => {
    const documents = [{ id: 'd', content: 'text', score: 1, metadata: { page: 2 } }];
    expect(documentAttributes('retrieval.documents', documents)).toEqual({
      'retrieval.documents.0.document.id': 'd',
      'retrieval.documents.0.document.content': 'text',
      'retrieval.documents.0.document.score': new Double(1),
      'retrieval.documents.0.document.metadata': '{"page":2}',
    });
  });

  it('gives one text the same vector each time', () => {
    const key = 'embedding.embeddings.0.embedding.vector';
    const vector = embeddingAttributes('model', ['text'], new Random('model'))[key];
    expect(vector).toHaveLength(12);
    expect(embeddingAttributes('model', ['text', 'more'], new Random('model'))[key]).toEqual(vector);
  });
});
