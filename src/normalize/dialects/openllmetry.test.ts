import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan, spanRecord } from '../../../test/support/dialect-span.ts';
import { otlpEvent } from '../../../test/support/otlp-span.ts';

describe('the kind of an OpenLLMetry span', () => {
  it.each([
    ['workflow', 'invoke_agent', 'CHAIN'],
    ['agent', undefined, 'AGENT'],
    ['tool', undefined, 'TOOL'],
    ['task', undefined, 'CHAIN'],
    ['task', 'vector_db_retrieve', 'RETRIEVER'],
    ['task', 'execute_task', 'CHAIN'],
    [undefined, 'chat', 'LLM'],
  ])('%s of operation %s is %s', (kind, operation, expected) => {
    const attributes = {
      'traceloop.workflow.name': 'w',
      ...(kind === undefined ? {} : { 'traceloop.span.kind': kind }),
      ...(operation === undefined ? {} : { 'gen_ai.operation.name': operation }),
    };
    expect(readSpan({ attributes }).kind).toBe(expected);
  });

  it.each([
    ['chat', 'LLM'],
    ['embedding', 'EMBEDDING'],
    ['rerank', 'RERANKER'],
  ])('of request type %s is %s', (type, kind) => {
    expect(readSpan({ attributes: { 'llm.request.type': type } }).kind).toBe(kind);
  });
});

describe('what an OpenLLMetry program says of itself', () => {
  it('is the session, the user, and metadata', () => {
    const span = readSpan({
      attributes: {
        'traceloop.association.properties.session_id': 's',
        'traceloop.association.properties.user_id': 'u',
        'traceloop.association.properties.tenant': 'acme',
        'traceloop.prompt.key': 'greeting',
        'traceloop.prompt.template': 'Hi {{name}}',
        'traceloop.prompt.template_variables': '{"name":"Ada"}',
      },
    });
    expect(span).toMatchObject({ sessionId: 's', userId: 'u' });
    expect(flatAttributes(span)).toMatchObject({
      'metadata.tenant': 'acme',
      'prompt.id': 'greeting',
      'llm.prompt_template.template': 'Hi {{name}}',
      'llm.prompt_template.variables.name': 'Ada',
    });
  });
});

describe('what went into an OpenLLMetry step and came out', () => {
  it.each([
    ['the only argument', '{"args": ["Hi"], "kwargs": {}}', 'Hi'],
    ['named arguments', '{"args": [], "kwargs": {"city": "Paris"}}', '{"city":"Paris"}'],
    ['several arguments', '{"args": ["a", 2], "kwargs": {}}', '{"args": ["a", 2], "kwargs": {}}'],
    ['both kinds', '{"args": ["a"], "kwargs": {"b": 1}}', '{"args": ["a"], "kwargs": {"b": 1}}'],
    ['none', '{"args": [], "kwargs": {}}', '{"args": [], "kwargs": {}}'],
    ['LangChain’s input', '{"inputs": {"question": "Hi"}, "tags": [], "kwargs": {}}', '{"question":"Hi"}'],
    ['a retriever’s query', '{"query": "Hi", "tags": [], "metadata": {}, "kwargs": {}}', 'Hi'],
    ['data of the program’s own', '{"inputs": 1, "other": 2}', '{"inputs": 1, "other": 2}'],
    ['JSON cut off', '{"args": ["Hi"', '{"args": ["Hi"'],
    ['text', 'Hi', 'Hi'],
  ])('is %s', (_what, sent, input) => {
    const attributes = { 'traceloop.span.kind': 'task', 'traceloop.entity.input': sent };
    expect(readSpan({ attributes }).input?.value).toBe(input);
  });

  it.each([
    ['a text as JSON', '"Paris."', 'Paris.'],
    ['LangChain’s output', '{"outputs": "Paris.", "kwargs": {"tags": []}}', 'Paris.'],
    ['data of the program’s own', '{"output": 1}', '{"output": 1}'],
  ])('comes out as %s', (_what, sent, output) => {
    const attributes = { 'traceloop.span.kind': 'workflow', 'traceloop.entity.output': sent };
    expect(readSpan({ attributes }).output?.value).toBe(output);
  });

  it('is a tool’s arguments and result', () => {
    const span = readSpan({
      attributes: {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'get_weather',
        'traceloop.entity.input': '{"args": [], "kwargs": {"city": "Paris"}}',
        'traceloop.entity.output': '"18 degrees"',
      },
    });
    expect(span).toMatchObject({ input: { value: '{"city":"Paris"}' }, output: { value: '18 degrees' } });
    expect(flatAttributes(span)).toMatchObject({ 'tool.name': 'get_weather', 'tool.parameters.city': 'Paris' });
  });

  it('is inside what LangChain has around a tool', () => {
    const span = readSpan({
      attributes: {
        'traceloop.span.kind': 'tool',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'f',
        'traceloop.entity.input':
          '{"input_str": "{\'city\': \'Paris\'}", "tags": [], "metadata": {}, "kwargs": {"tool_call_id": "c"}}',
        'gen_ai.tool.call.arguments': '{"input_str": "…"}',
        'traceloop.entity.output':
          '{"output": {"lc": 1, "type": "constructor", "id": ["ToolMessage"], "kwargs": {"content": "sunny", "type": "tool"}}, "kwargs": {}}',
      },
    });
    expect(span).toMatchObject({ kind: 'TOOL', input: { value: '{"city":"Paris"}' }, output: { value: 'sunny' } });
    expect(flatAttributes(span)['tool.id']).toBe('c');
  });

  it('is a query and documents', () => {
    const span = readSpan({
      attributes: {
        'traceloop.span.kind': 'task',
        'gen_ai.operation.name': 'vector_db_retrieve',
        'traceloop.entity.input': '{"query": "Cairn?", "tags": [], "metadata": {}, "kwargs": {}}',
        'traceloop.entity.output': '{"documents": [{"page_content": "Stones.", "metadata": {"page": 1}}], "count": 1}',
      },
    });
    expect(span.input?.value).toBe('Cairn?');
    expect(flatAttributes(span)).toMatchObject({
      'retrieval.documents.0.document.content': 'Stones.',
      'retrieval.documents.0.document.metadata.page': 1,
    });
  });
});

describe('OpenLLMetry before there were conventions', () => {
  const LISTS = {
    'llm.request.type': 'chat',
    'gen_ai.prompt.0.role': 'system',
    'gen_ai.prompt.0.content': 'Be brief.',
    'gen_ai.prompt.7.role': 'user',
    'gen_ai.prompt.7.content':
      '[{"type":"text","text":"What?"},{"type":"image_url","image_url":{"url":"https://i/x"}}]',
    'gen_ai.prompt.4294967296.role': 'tool',
    'gen_ai.prompt.4294967296.tool_call_id': 'c',
    'gen_ai.prompt.4294967296.content': '{"t": 18}',
    'gen_ai.completion.0.role': 'assistant',
    'gen_ai.completion.0.finish_reason': 'tool_calls',
    'gen_ai.completion.0.tool_calls.0.id': 'd',
    'gen_ai.completion.0.tool_calls.0.name': 'f',
    'gen_ai.completion.0.tool_calls.0.arguments': '{"city":"Paris"}',
    'llm.request.functions.0.name': 'f',
    'llm.request.functions.0.parameters': '{"type":"object"}',
    'llm.usage.total_tokens': 12n,
    'gen_ai.usage.prompt_tokens': 9n,
    'gen_ai.usage.completion_tokens': 3n,
  };

  it('has messages and tools in flattened lists, however far apart their indexes are', () => {
    const span = readSpan({ attributes: LISTS });
    expect(messagesOf(span, 'input')).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        contents: [
          { message_content: { type: 'text', text: 'What?' } },
          { message_content: { type: 'image', image: { image: { url: 'https://i/x' } } } },
        ],
      },
      { role: 'tool', tool_call_id: 'c', content: '{"t": 18}' },
    ]);
    expect(messagesOf(span, 'output')).toEqual([
      {
        role: 'assistant',
        tool_calls: [{ tool_call: { id: 'd', function: { name: 'f', arguments: '{"city":"Paris"}' } } }],
        finish_reason: 'tool_calls',
      },
    ]);
    expect(flatAttributes(span)['llm.tools.0.tool.json_schema']).toBe(
      '{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}',
    );
    expect(span.tokenCounts).toMatchObject({ prompt: 9, completion: 3, total: 12 });
  });

  it('has texts to embed there', () => {
    const attributes = {
      'llm.request.type': 'embedding',
      'gen_ai.prompt.0.content': 'a',
      'gen_ai.prompt.1.content': 'b',
    };
    expect(flatAttributes(readSpan({ attributes }))).toMatchObject({
      'embedding.embeddings.0.embedding.text': 'a',
      'embedding.embeddings.1.embedding.text': 'b',
    });
  });

  it('takes a hundred thousand of them in the time that they take to come', () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, n) => [`gen_ai.prompt.${n * 1000}.content`, String(n)]),
    );
    expect(messagesOf(readSpan({ attributes }), 'input').length).toBeGreaterThan(10_000);
  });
});

describe('what a vector store found', () => {
  it('is in events', () => {
    const span = readSpan({
      name: 'chroma.query',
      attributes: { 'db.system': 'chroma' },
      events: [
        otlpEvent('db.query.result', {
          'db.query.result.id': '1',
          'db.query.result.document': 'Stones.',
          'db.query.result.metadata': '{"page":1}',
        }),
        otlpEvent('db.query.result', { 'db.query.result.id': '2', 'db.query.result.score': 0.5 }),
      ],
    });
    expect(span.kind).toBe('RETRIEVER');
    expect(flatAttributes(span)).toMatchObject({
      'retrieval.documents.0.document.content': 'Stones.',
      'retrieval.documents.0.document.metadata.page': 1,
      'retrieval.documents.1.document.score': 0.5,
    });
  });
});

describe('log records of the Anthropic instrumentation', () => {
  it('have tools among the messages, and one for each block of the answer', () => {
    const span = readSpan({
      scope: 'opentelemetry.instrumentation.anthropic',
      attributes: { 'gen_ai.operation.name': 'chat' },
      records: [
        spanRecord('gen_ai.user.message', {}, { content: 'Weather?' }),
        spanRecord(
          'gen_ai.user.message',
          {},
          { content: { tools: [{ name: 'f', input_schema: { type: 'object' } }] } },
        ),
        spanRecord('gen_ai.choice', {}, { index: 0, message: { content: { type: 'thinking', content: 'Hm.' } } }),
        spanRecord(
          'gen_ai.choice',
          {},
          {
            index: 1,
            message: { content: '' },
            finish_reason: 'tool_call',
            tool_calls: [{ id: 'c', function: { name: 'f', arguments: { city: 'Paris' } }, type: 'function' }],
          },
        ),
      ],
    });
    expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Weather?' }]);
    expect(messagesOf(span, 'output')).toEqual([
      {
        role: 'assistant',
        contents: [{ message_content: { type: 'reasoning', text: 'Hm.' } }],
        tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"city":"Paris"}' } } }],
        finish_reason: 'tool_call',
      },
    ]);
    expect(flatAttributes(span)['llm.tools.0.tool.json_schema']).toContain('"name":"f"');
  });
});

it('reads what the first package for Anthropic sends: thoughts as messages, schemas of tools, why it ended', () => {
  const span = readSpan({
    attributes: {
      'llm.request.type': 'chat',
      'gen_ai.system': 'Anthropic',
      'gen_ai.prompt.0.role': 'user',
      'gen_ai.prompt.0.content':
        '[{"type":"text","text":"What?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]',
      'gen_ai.completion.0.role': 'thinking',
      'gen_ai.completion.0.content': 'Hm.',
      'gen_ai.completion.1.role': 'assistant',
      'gen_ai.completion.1.content': 'A map.',
      'llm.request.functions.0.name': 'f',
      'llm.request.functions.0.input_schema': '{"type":"object"}',
      'llm.request.reasoning_effort': 'low',
      'llm.response.stop_reason': 'end_turn',
      'llm.usage.reasoning_tokens': 5n,
    },
  });
  expect(messagesOf(span, 'input')).toMatchObject([
    { contents: [{}, { message_content: { image: { image: { url: 'data:image/png;base64,iVBO' } } } }] },
  ]);
  expect(messagesOf(span, 'output')).toEqual([
    { role: 'assistant', contents: [{ message_content: { type: 'reasoning', text: 'Hm.' } }] },
    { role: 'assistant', content: 'A map.' },
  ]);
  expect(span.tokenCounts.reasoning).toBe(5);
  expect(flatAttributes(span)).toMatchObject({
    'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}',
    'llm.finish_reason': 'end_turn',
    'llm.invocation_parameters': '{"reasoning_effort":"low"}',
  });
});

it('reads the prompt of a completion, which stands under who said it', () => {
  const attributes = { 'llm.request.type': 'completion', 'gen_ai.prompt.0.user': 'Say hi' };
  expect(messagesOf(readSpan({ attributes }), 'input')).toEqual([{ role: 'user', content: 'Say hi' }]);
});
