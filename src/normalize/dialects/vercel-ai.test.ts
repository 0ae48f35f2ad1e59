import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

const SCOPE = 'ai';

describe('kinds', () => {
  it.each([
    ['ai.generateText', 'CHAIN'],
    ['ai.streamObject', 'CHAIN'],
    ['ai.generateText.doGenerate', 'LLM'],
    ['ai.streamText.doStream', 'LLM'],
    ['ai.embed', 'EMBEDDING'],
    ['ai.embedMany.doEmbed', 'EMBEDDING'],
    ['ai.rerank.doRerank', 'RERANKER'],
    ['ai.toolCall', 'TOOL'],
    ['ai.somethingNew', 'UNKNOWN'],
  ])('%s is %s', (operation, kind) => {
    expect(readSpan({ scope: SCOPE, attributes: { 'ai.operationId': operation } }).kind).toBe(kind);
    expect(readSpan({ scope: 'mine', attributes: { 'operation.name': `${operation} f`, 'ai.x': 1n } }).kind).toBe(kind);
  });

  it('of major 7 are those of the conventions, but what it calls an agent is a function', () => {
    const read = (operation: string) =>
      readSpan({ scope: 'gen_ai', attributes: { 'gen_ai.operation.name': operation } }).kind;
    expect(['invoke_agent', 'agent_step', 'chat', 'execute_tool', 'embeddings'].map(read)).toEqual([
      'CHAIN',
      'CHAIN',
      'LLM',
      'TOOL',
      'EMBEDDING',
    ]);
  });
});

describe('messages', () => {
  const read = (attributes: Readonly<Record<string, string>>) =>
    readSpan({ scope: SCOPE, attributes: { 'ai.operationId': 'ai.generateText.doGenerate', ...attributes } });

  it('are read with their parts, calls and results', () => {
    const span = read({
      'ai.prompt.messages': JSON.stringify([
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', mediaType: 'image/png', data: 'iVBORw0=' },
            { type: 'image', image: 'https://example.com/a.png' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'Let me look.' },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { at: 'it' } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'json', value: { red: true } } },
            { type: 'tool-result', toolCallId: 'c2', toolName: 'look', result: 'a square' },
          ],
        },
      ]),
    });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        contents: [
          { message_content: { type: 'text', text: 'What is this?' } },
          { message_content: { type: 'image', image: { image: { url: 'data:image/png;base64,iVBORw0=' } } } },
          { message_content: { type: 'image', image: { image: { url: 'https://example.com/a.png' } } } },
        ],
      },
      {
        role: 'assistant',
        contents: [{ message_content: { type: 'reasoning', text: 'Let me look.' } }],
        tool_calls: [{ tool_call: { id: 'c1', function: { name: 'look', arguments: '{"at":"it"}' } } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"red":true}' },
      { role: 'tool', tool_call_id: 'c2', content: 'a square' },
    ]);
  });

  it.each<[string, unknown]>([
    ['a Buffer', { type: 'Buffer', data: [137, 80, 78] }],
    ['a typed array', { 0: 137, 1: 80, 2: 78 }],
  ])('have the bytes of %s', (_what, image) => {
    const prompt = { messages: [{ role: 'user', content: [{ type: 'image', image, mimeType: 'image/png' }] }] };
    expect(flatAttributes(read({ 'ai.prompt': JSON.stringify(prompt) }))).toMatchObject({
      'llm.input_messages.0.message.contents.0.message_content.image.image.url': 'data:image/png;base64,iVBO',
    });
  });

  it('of the outer span are its prompt', () => {
    const span = read({ 'ai.prompt': '{"system":"Be brief.","prompt":"Hi"}', 'ai.response.text': 'Hello' });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Hello' }]);
  });

  it.each(['ai.response', 'ai.result'])('that are answers have calls, under %s', (prefix) => {
    const calls = '[{"toolCallType":"function","toolCallId":"c1","toolName":"f","args":"{\\"a\\":1}"}]';
    expect(messagesOf(read({ [`${prefix}.toolCalls`]: calls }), 'output')).toEqual([
      { role: 'assistant', tool_calls: [{ tool_call: { id: 'c1', function: { name: 'f', arguments: '{"a":1}' } } }] },
    ]);
  });

  it.each(['not JSON', '[{"role":', '{"system":1}', '[1,2]', '{}'])(
    'that are %s leave the attribute to be seen',
    (text) => {
      const shown = flatAttributes(read({ 'ai.prompt.messages': text, 'ai.response.toolCalls': text }));
      expect(shown).toMatchObject({ 'ai.prompt.messages': text, 'ai.response.toolCalls': text, 'input.value': text });
    },
  );
});

it('reads tools, model, provider, parameters and finish reason', () => {
  const shown = flatAttributes(
    readSpan({
      scope: SCOPE,
      attributes: {
        'ai.operationId': 'ai.streamText.doStream',
        'ai.model.id': 'claude-x',
        'ai.model.provider': 'amazon-bedrock',
        'ai.response.model': 'claude-x-1',
        'ai.response.finishReason': 'tool-calls',
        'ai.settings.temperature': 0.5,
        'ai.settings.maxTokens': 9n,
        'ai.settings.maxRetries': 2n,
        'ai.prompt.toolChoice': '{"type":"tool","toolName":"f"}',
        'ai.prompt.tools': ['{"type":"function","name":"f","parameters":{"type":"object"}}', 'broken'],
      },
    }),
  );
  expect(shown).toMatchObject({
    'llm.model_name': 'claude-x-1',
    'llm.request.model_name': 'claude-x',
    'llm.response.model_name': 'claude-x-1',
    'llm.provider': 'aws',
    'llm.finish_reason': 'tool-calls',
    'llm.invocation_parameters': '{"temperature":0.5,"max_tokens":9,"tool_choice":{"type":"tool","toolName":"f"}}',
    'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}',
  });
  expect(shown).not.toHaveProperty('llm.tools.1.tool.json_schema');
});

describe('tokens', () => {
  const read = (attributes: Readonly<Record<string, string | bigint>>) =>
    readSpan({ scope: SCOPE, attributes: { 'ai.operationId': 'ai.generateText.doGenerate', ...attributes } })
      .tokenCounts;

  it('of major 6 have parts', () => {
    expect(
      read({
        'ai.model.provider': 'anthropic.messages',
        'ai.usage.inputTokens': 137n,
        'ai.usage.inputTokenDetails.noCacheTokens': 57n,
        'ai.usage.inputTokenDetails.cacheReadTokens': 64n,
        'ai.usage.inputTokenDetails.cacheWriteTokens': 16n,
        'ai.usage.outputTokens': 29n,
        'ai.usage.outputTokenDetails.reasoningTokens': 11n,
        'ai.usage.totalTokens': 166n,
      }),
    ).toMatchObject({ prompt: 137, completion: 29, total: 166, cacheRead: 64, cacheWrite: 16, reasoning: 11 });
  });

  it('of major 5 leave out what Anthropic cached', () => {
    expect(
      read({
        'ai.model.provider': 'anthropic.messages',
        'ai.usage.inputTokens': 57n,
        'ai.usage.cachedInputTokens': 64n,
        'ai.usage.outputTokens': 29n,
        'ai.usage.totalTokens': 86n,
        'ai.response.providerMetadata':
          '{"anthropic":{"usage":{"cache_read_input_tokens":64,"cache_creation_input_tokens":16},"cacheCreationInputTokens":16}}',
        'gen_ai.usage.input_tokens': 57n,
        'gen_ai.usage.output_tokens': 29n,
      }),
    ).toMatchObject({ prompt: 137, completion: 29, total: 166, cacheRead: 64, cacheWrite: 16 });
  });

  it('of major 4 have them in the provider’s metadata only', () => {
    expect(
      read({
        'ai.model.provider': 'anthropic.messages',
        'ai.usage.promptTokens': 57n,
        'ai.usage.completionTokens': 29n,
        'ai.response.providerMetadata': '{"anthropic":{"cacheCreationInputTokens":16,"cacheReadInputTokens":64}}',
      }),
    ).toMatchObject({ prompt: 137, completion: 29, total: 166, cacheRead: 64, cacheWrite: 16 });
  });

  it('of other providers have them inside', () => {
    expect(
      read({
        'ai.model.provider': 'openai.chat',
        'ai.usage.inputTokens': 137n,
        'ai.usage.cachedInputTokens': 64n,
        'ai.usage.outputTokens': 29n,
      }),
    ).toMatchObject({ prompt: 137, cacheRead: 64, total: 166 });
  });

  it('of embeddings are the prompt', () => {
    const attributes = { 'ai.operationId': 'ai.embed.doEmbed', 'ai.usage.tokens': 16n };
    expect(readSpan({ scope: SCOPE, attributes }).tokenCounts.prompt).toBe(16);
  });
});

it('reads embeddings, one and many', () => {
  const read = (attributes: Readonly<Record<string, string | string[]>>) =>
    flatAttributes(readSpan({ scope: SCOPE, attributes: { 'ai.operationId': 'ai.embed', ...attributes } }));
  expect(read({ 'ai.value': '"one"', 'ai.embedding': '[0.5,1]' })).toMatchObject({
    'embedding.embeddings.0.embedding.text': 'one',
    'embedding.embeddings.0.embedding.vector': [0.5, 1],
    'input.value': 'one',
  });
  expect(read({ 'ai.values': ['"one"', '"two"'], 'ai.embeddings': ['[0.5]', 'broken'] })).toMatchObject({
    'embedding.embeddings.0.embedding.vector': [0.5],
    'embedding.embeddings.1.embedding.text': 'two',
    'input.value': '["one","two"]',
  });
});

it('reads what a reranker was given and gave', () => {
  const shown = flatAttributes(
    readSpan({
      scope: SCOPE,
      attributes: {
        'ai.operationId': 'ai.rerank.doRerank',
        'ai.documents': ['"a"', '{"b":1}'],
        'ai.ranking': ['{"index":1,"relevanceScore":0.9}', '{"index":7,"relevanceScore":0.1}', 'broken'],
      },
    }),
  );
  expect(shown).toMatchObject({
    'reranker.input_documents.0.document.content': 'a',
    'reranker.output_documents.0.document.content': '{"b":1}',
    'reranker.output_documents.0.document.score': 0.9,
  });
  expect(shown).not.toHaveProperty('reranker.output_documents.1.document.content');
});

it('reads a tool’s run, a text without the quotes of its JSON', () => {
  const attributes = {
    'ai.operationId': 'ai.toolCall',
    'ai.toolCall.name': 'f',
    'ai.toolCall.id': 'c1',
    'ai.toolCall.args': '{"a":1}',
    'ai.toolCall.result': '"sunny"',
  };
  expect(readSpan({ scope: SCOPE, attributes })).toMatchObject({
    kind: 'TOOL',
    input: { value: '{"a":1}', mimeType: 'application/json' },
    output: { value: 'sunny', mimeType: 'text/plain' },
  });
});

it.each(['ai.telemetry.metadata', 'ai.settings.context'])('reads session, user, tags and metadata of %s', (prefix) => {
  const span = readSpan({
    scope: SCOPE,
    attributes: {
      [`${prefix}.sessionId`]: 's',
      [`${prefix}.userId`]: 'u',
      [`${prefix}.tags`]: ['a', 'b'],
      [`${prefix}.tenant`]: 'acme',
    },
  });
  expect(span).toMatchObject({ sessionId: 's', userId: 'u' });
  expect(flatAttributes(span)).toMatchObject({ 'tag.tags': ['a', 'b'], 'metadata.tenant': 'acme' });
});

it('finds reasoning and cached tokens of major 4 in what the provider says', () => {
  const span = readSpan({
    scope: SCOPE,
    attributes: {
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.provider': 'openai.chat',
      'ai.usage.promptTokens': 100n,
      'ai.usage.completionTokens': 60n,
      'ai.response.providerMetadata':
        '{"openai":{"reasoningTokens":40,"acceptedPredictionTokens":0,"rejectedPredictionTokens":0,"cachedPromptTokens":30}}',
    },
  });
  expect(span.tokenCounts).toMatchObject({ prompt: 100, completion: 60, total: 160, reasoning: 40, cacheRead: 30 });
});
