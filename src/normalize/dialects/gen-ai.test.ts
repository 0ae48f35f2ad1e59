import { describe, expect, it } from 'vitest';
import { flattenAttributes } from '#domain/attributes';
import type { Span } from '#domain/span';
import type { AnyValue } from '#otlp/messages';
import { otlpMap, otlpResource, otlpScope, otlpSpan } from '../../../test/support/otlp-span.ts';
import { normalizeSpan } from '../normalize-span.ts';

describe('the kind of a GenAI span', () => {
  it.each([
    ['chat', 'LLM'],
    ['text_completion', 'LLM'],
    ['generate_content', 'LLM'],
    ['embeddings', 'EMBEDDING'],
    ['retrieval', 'RETRIEVER'],
    ['rerank', 'RERANKER'],
    ['execute_tool', 'TOOL'],
    ['invoke_agent', 'AGENT'],
    ['create_agent', 'AGENT'],
    ['plan', 'AGENT'],
    ['invoke_workflow', 'CHAIN'],
    ['agent_step', 'CHAIN'],
    ['execute_event_loop_cycle', 'CHAIN'],
    ['vector_db_retrieve', 'RETRIEVER'],
    ['search_memory', 'RETRIEVER'],
    ['orchestrate_tools', 'CHAIN'],
    ['LLM_CALL', 'LLM'],
    ['juggle', 'UNKNOWN'],
  ])('of operation %s is %s', (operation, kind) => {
    expect(read({ 'gen_ai.operation.name': operation, 'gen_ai.request.model': 'm' }).kind).toBe(kind);
  });

  it.each([
    ['gen_ai.tool.name', 'TOOL'],
    ['gen_ai.tool.call.id', 'TOOL'],
    ['gen_ai.retrieval.query.text', 'RETRIEVER'],
    ['gen_ai.embeddings.dimension.count', 'EMBEDDING'],
    ['gen_ai.request.model', 'LLM'],
    ['gen_ai.output.messages', 'LLM'],
    ['gen_ai.prompt', 'LLM'],
    ['gen_ai.agent.name', 'AGENT'],
    ['gen_ai.workflow.name', 'CHAIN'],
    ['gen_ai.conversation.id', 'UNKNOWN'],
  ])('that names no operation but has %s is %s', (key, kind) => {
    expect(read({ [key]: 'x' }).kind).toBe(kind);
  });

  it('is the one of OpenInference where the span has both', () => {
    expect(read({ 'gen_ai.operation.name': 'chat', 'openinference.span.kind': 'CHAIN' }).kind).toBe('CHAIN');
  });
});

describe('a chat span', () => {
  const chat: Record<string, AnyValue> = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.conversation.id': 'conv-1',
    'gen_ai.agent.name': 'helper',
    'gen_ai.request.model': 'gpt-4.1-mini',
    'gen_ai.response.model': 'gpt-4.1-mini-2025-04-14',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 137n,
    'gen_ai.usage.output_tokens': 29n,
    'gen_ai.usage.cache_read.input_tokens': 64n,
    'gen_ai.usage.cache_creation.input_tokens': 8n,
    'gen_ai.usage.reasoning.output_tokens': 11n,
    'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Capital of France?"}]}]',
    'gen_ai.output.messages':
      '[{"role":"assistant","parts":[{"type":"text","content":"Paris."}],"finish_reason":"stop"}]',
  };

  it('tells model, provider, tokens, session, input and output', () => {
    expect(read(chat)).toMatchObject({
      kind: 'LLM',
      modelName: 'gpt-4.1-mini-2025-04-14',
      provider: 'openai',
      sessionId: 'conv-1',
      tokenCounts: { prompt: 137, completion: 29, total: 166, cacheRead: 64, cacheWrite: 8, reasoning: 11 },
      input: { value: 'Capital of France?', mimeType: 'text/plain' },
      output: { value: 'Paris.', mimeType: 'text/plain' },
    });
  });

  it('has its meaning in OpenInference beside what was sent', () => {
    const attributes = flat(read(chat));
    expect(attributes).toMatchObject({
      'gen_ai.usage.input_tokens': 137,
      'gen_ai.input.messages': chat['gen_ai.input.messages'],
      'openinference.span.kind': 'LLM',
      'agent.name': 'helper',
      'llm.request.model_name': 'gpt-4.1-mini',
      'llm.response.model_name': 'gpt-4.1-mini-2025-04-14',
      'llm.system': 'openai',
      'llm.finish_reason': 'stop',
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Capital of France?',
      'llm.output_messages.0.message.content': 'Paris.',
      'llm.output_messages.0.message.finish_reason': 'stop',
    });
  });

  it('keeps every OpenInference key that was sent', () => {
    const sent = {
      'llm.model_name': 'mine',
      'input.value': 'my input',
      'session.id': 'my session',
      'llm.token_count.prompt': 1n,
    };
    expect(read({ ...chat, ...sent })).toMatchObject({
      modelName: 'mine',
      sessionId: 'my session',
      input: { value: 'my input' },
      tokenCounts: { prompt: 1 + 64 + 8, completion: 29 },
    });
  });

  it('is given no messages where some were sent, not even one', () => {
    const attributes = flat(read({ ...chat, 'llm.input_messages.5.message.role': 'user' }));
    const keys = Object.keys(attributes).filter((key) => key.startsWith('llm.input_messages'));
    expect(keys).toEqual(['llm.input_messages.0.message.role']);
    expect(attributes['llm.output_messages.0.message.content']).toBe('Paris.');
  });

  it('reads the same whether messages are structured or JSON text', () => {
    const part = otlpMap({ type: 'text', content: 'Capital of France?' });
    const structured = [otlpMap({ role: 'user', parts: [part] })];
    const sent = { ...chat, 'gen_ai.input.messages': structured };
    const {
      attributes: { gen_ai: _structured, ...fromStructured },
    } = read(sent);
    const {
      attributes: { gen_ai: _text, ...fromText },
    } = read(chat);
    expect(fromStructured).toEqual(fromText);
  });

  it('keeps the other messages when one is malformed', () => {
    const messages = '[{"role":"user","parts":[{"type":"text","content":"a"}]},17,{"role":"user","content":"b"}]';
    const attributes = flat(read({ ...chat, 'gen_ai.input.messages': messages }));
    expect(attributes['llm.input_messages.0.message.content']).toBe('a');
    expect(attributes['llm.input_messages.1.message.content']).toBe('b');
  });

  it('has the system’s instructions as its first message, and JSON of all as input where more was said', () => {
    const messages = '[{"role":"user","content":"a"},{"role":"user","content":"b"}]';
    const span = read({ ...chat, 'gen_ai.system_instructions': 'Be brief.', 'gen_ai.input.messages': messages });
    expect(flat(span)).toMatchObject({
      'llm.input_messages.0.message.role': 'system',
      'llm.input_messages.0.message.content': 'Be brief.',
      'llm.input_messages.2.message.content': 'b',
    });
    expect(span.input).toEqual({
      value: '[{"role":"system","parts":"Be brief."},{"role":"user","content":"a"},{"role":"user","content":"b"}]',
      mimeType: 'application/json',
    });
  });

  it('names the tools that were offered in the shape of OpenAI', () => {
    const definitions =
      '[{"name":"f","description":"d","input_schema":{"type":"object"}},{"type":"custom","name":"g"},7]';
    expect(flat(read({ ...chat, 'gen_ai.tool.definitions': definitions }))).toMatchObject({
      'llm.tools.0.tool.json_schema':
        '{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}',
      'llm.tools.1.tool.json_schema': '{"type":"custom","name":"g"}',
    });
  });

  it('has its parameters under the names of the OpenAI API', () => {
    const parameters = {
      'gen_ai.request.temperature': 0.2,
      'gen_ai.request.max_tokens': 200n,
      'gen_ai.request.choice.count': 2n,
      'gen_ai.request.stop_sequences': ['END'],
      'gen_ai.request.stream': true,
      'gen_ai.openai.request.seed': 7n,
      'gen_ai.request.encoding_formats': ['base64'],
    };
    const text = flat(read({ ...chat, ...parameters }))['llm.invocation_parameters'];
    expect(JSON.parse(text as string)).toEqual({
      temperature: 0.2,
      max_tokens: 200,
      n: 2,
      stop: ['END'],
      stream: true,
      seed: 7,
      encoding_format: 'base64',
    });
  });

  it('leaves out parameters that say nothing', () => {
    const parameters = {
      'gen_ai.request.max_tokens': -1n,
      'gen_ai.request.user': '',
      'gen_ai.request.seed': '',
      'gen_ai.request.stop_sequences': [],
      'gen_ai.request.top_p': 1,
    };
    const text = flat(read({ ...chat, ...parameters }))['llm.invocation_parameters'];
    expect(JSON.parse(text as string)).toEqual({ top_p: 1 });
  });

  it('belongs to the user of the service', () => {
    expect(read({ ...chat, 'enduser.id': 'u' }).userId).toBe('u');
    expect(read({ 'enduser.id': 'u' }).userId).toBe('u');
    expect(read({ ...chat, 'enduser.id': 'u', 'user.id': 'mine' }).userId).toBe('mine');
  });

  it('tells a prompt’s name, version and variables', () => {
    const prompt = {
      'gen_ai.prompt.name': 'greeting',
      'gen_ai.prompt.version': '3',
      'gen_ai.prompt.variable.name': 'Ada',
      'gen_ai.prompt.variable.city': 'Paris',
    };
    expect(flat(read({ ...chat, ...prompt }))).toMatchObject({
      'prompt.id': 'greeting',
      'llm.prompt_template.version': '3',
      'llm.prompt_template.variables.name': 'Ada',
      'llm.prompt_template.variables.city': 'Paris',
    });
  });

  it('tells tokens of sound, and what it cost', () => {
    const usage = {
      'gen_ai.usage.audio.input_tokens': 7n,
      'gen_ai.usage.audio.output_tokens': 3n,
      'gen_ai.usage.cost': 0.25,
    };
    expect(read({ ...chat, ...usage })).toMatchObject({
      tokenCounts: { promptAudio: 7, completionAudio: 3 },
      reportedCostUsd: 0.25,
    });
  });

  it('adds the cached tokens where the total shows that the input left them out', () => {
    const usage = { 'gen_ai.usage.input_tokens': 137n, 'gen_ai.usage.total_tokens': 137n + 29n + 64n + 8n };
    expect(read({ ...chat, ...usage }).tokenCounts).toMatchObject({ prompt: 209, completion: 29, total: 238 });
  });

  it('keeps several reasons for its end as a list', () => {
    const attributes = flat(read({ ...chat, 'gen_ai.response.finish_reasons': ['stop', 'length'] }));
    expect(attributes['llm.finish_reason']).toEqual(['stop', 'length']);
  });
});

describe('names that were renamed since', () => {
  it('are understood', () => {
    const span = read({
      'gen_ai.system': 'az.ai.openai',
      'gen_ai.request.model': 'm',
      'gen_ai.usage.prompt_tokens': 5n,
      'gen_ai.usage.completion_tokens': 6n,
      'gen_ai.usage.cache_read_input_tokens': 3n,
      'gen_ai.usage.cache_write.input_tokens': 1n,
      'gen_ai.usage.reasoning_tokens': 2n,
      'gen_ai.prompt': '[{"role":"user","content":"a"}]',
      'gen_ai.completion': 'b',
    });
    expect(span).toMatchObject({
      kind: 'LLM',
      provider: 'azure',
      tokenCounts: { prompt: 5, completion: 6, total: 11, cacheRead: 3, cacheWrite: 1, reasoning: 2 },
      input: { value: 'a' },
      output: { value: 'b' },
    });
  });

  it.each([
    ['reasoning', 'gen_ai.usage.output_tokens.reasoning', 'Sentry'],
    ['reasoning', 'gen_ai.usage.completion_tokens_details.reasoning_tokens', 'OpenLIT'],
    ['reasoning', 'gen_ai.usage.completion_tokens_details.reasoning', 'OpenLIT for JavaScript'],
    ['reasoning', 'gen_ai.usage.details.reasoning_tokens', 'Pydantic AI'],
    ['reasoning', 'gen_ai.usage.details.thoughts_tokens', 'Pydantic AI with Gemini'],
    ['reasoning', 'gen_ai.usage.reasoning_output_tokens', 'Laminar'],
    ['reasoning', 'gen_ai.usage.thinking_tokens', 'AG2'],
    ['reasoning', 'gen_ai.usage.thoughts_tokens', 'Gemini CLI'],
    ['reasoning', 'gen_ai.usage.thoughts_token_count', 'Tracy'],
    ['reasoning', 'gen_ai.usage.output_reasoning_tokens', 'programs for Langfuse'],
    ['reasoning', 'llm.usage.reasoning_tokens', 'OpenLLMetry'],
    ['cacheRead', 'gen_ai.usage.cached_input_tokens', 'Mastra'],
    ['cacheRead', 'gen_ai.usage.prompt_tokens_details.cached_tokens', 'OpenLIT'],
    ['cacheRead', 'gen_ai.usage.prompt_tokens_details.cache_read', 'OpenLIT for JavaScript'],
    ['cacheRead', 'gen_ai.usage.cache_read_tokens', 'TraceAI'],
    ['cacheRead', 'gen_ai.usage.input_cached_tokens', 'LiveKit'],
    ['cacheRead', 'gen_ai.usage.cached_content_tokens', 'Gemini CLI'],
    ['cacheRead', 'gen_ai.usage.cached_content_token_count', 'Tracy'],
    ['cacheRead', 'gen_ai.usage.details.cached_tokens', 'Pydantic AI before 0.8'],
    ['cacheRead', 'gen_ai.usage.details.cache_read_tokens', 'Pydantic AI'],
    ['cacheRead', 'gen_ai.usage.details.cache_read_input_tokens', 'Pydantic AI with Anthropic'],
    ['cacheRead', 'gen_ai.usage.details.cached_content_tokens', 'Pydantic AI with Gemini'],
    ['cacheRead', 'gen_ai.usage.details.cached_content_token_count', 'Pydantic AI before 0.3 with Gemini'],
    ['cacheWrite', 'gen_ai.usage.prompt_tokens_details.cache_creation_tokens', 'OpenLIT'],
    ['cacheWrite', 'gen_ai.usage.prompt_tokens_details.cache_write', 'OpenLIT for JavaScript'],
    ['cacheWrite', 'gen_ai.usage.cache_creation_tokens', 'beside cache_read_tokens'],
    ['cacheWrite', 'gen_ai.usage.input_cache_creation_tokens', 'Browser Use'],
    ['cacheWrite', 'gen_ai.usage.input_tokens.cache_write', 'Sentry'],
    ['cacheWrite', 'gen_ai.usage.details.cache_write_tokens', 'Pydantic AI'],
    ['cacheWrite', 'gen_ai.usage.details.cache_creation_input_tokens', 'Pydantic AI with Anthropic'],
    ['promptAudio', 'gen_ai.usage.details.input_audio_tokens', 'Pydantic AI'],
    ['promptAudio', 'gen_ai.usage.details.audio_prompt_tokens', 'Pydantic AI with Gemini'],
    ['promptAudio', 'gen_ai.usage.input_audio_tokens', 'LiveKit'],
    ['promptAudio', 'gen_ai.usage.prompt_tokens.audio', 'AgentOps with Google ADK'],
    ['completionAudio', 'gen_ai.usage.details.output_audio_tokens', 'Pydantic AI'],
    ['completionAudio', 'gen_ai.usage.details.audio_candidates_tokens', 'Pydantic AI with Gemini'],
    ['completionAudio', 'gen_ai.usage.completion_tokens_details.audio_tokens', 'OpenLIT'],
    ['completionAudio', 'gen_ai.usage.completion_tokens_details.audio', 'OpenLIT for JavaScript'],
    ['completionAudio', 'gen_ai.usage.output_audio_tokens', 'LiveKit'],
    ['completionAudio', 'gen_ai.usage.completion_tokens.audio', 'AgentOps with Google ADK'],
  ])('count %s under %s', (part, key) => {
    const counts = { 'gen_ai.usage.input_tokens': 9n, 'gen_ai.usage.output_tokens': 8n, [key]: 3n };
    expect(read({ 'gen_ai.operation.name': 'chat', ...counts }).tokenCounts).toMatchObject({ total: 17, [part]: 3 });
  });

  it.each([
    ['OpenAI', 'openai', 'openai'],
    ['mistral_ai', 'mistralai', 'mistralai'],
    ['x_ai', 'xai', undefined],
    ['aws.bedrock', 'aws', undefined],
    ['gcp.vertex_ai', 'google', 'vertexai'],
    ['moonshot_ai', 'moonshot', undefined],
    ['my-gateway', null, 'my-gateway'],
    ['langgraph', null, undefined],
  ])('and provider %s is %s', (name, provider, system) => {
    const span = read({ 'gen_ai.operation.name': 'chat', 'gen_ai.system': name });
    expect(span.provider).toBe(provider);
    expect(flat(span)['llm.system']).toBe(system);
  });
});

describe('other GenAI spans', () => {
  it('run a tool', () => {
    const span = read({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.provider.name': 'my-agents',
      'gen_ai.tool.name': 'get_weather',
      'gen_ai.tool.description': 'Current weather.',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.tool.call.arguments': '{"city": "Paris"}',
      'gen_ai.tool.call.result': '18 degrees',
    });
    expect(span).toMatchObject({
      kind: 'TOOL',
      input: { value: '{"city": "Paris"}', mimeType: 'application/json' },
      output: { value: '18 degrees', mimeType: 'text/plain' },
    });
    expect(flat(span)).toMatchObject({
      'tool.name': 'get_weather',
      'tool.description': 'Current weather.',
      'tool.id': 'call_1',
      'tool.parameters.city': 'Paris',
    });
    expect(Object.keys(flat(span)).filter((key) => key.startsWith('llm.'))).toEqual([]);
  });

  it.each<[AnyValue, string]>([
    ['[{"text":"18 degrees"}]', '18 degrees'],
    ['{"t": 18}', '{"t": 18}'],
    ['[1, 2]', '[1, 2]'],
    [otlpMap({ t: 18n }), '{"t":18}'],
  ])('give the tool’s result %#', (result, expected) => {
    expect(read({ 'gen_ai.tool.name': 'f', 'gen_ai.tool.call.result': result }).output?.value).toBe(expected);
  });

  it.each([
    { 'code.function.parameters.city.type': 'str', 'code.function.parameters.city.value': 'Paris' },
    {
      'gen_ai.tool.call.arguments':
        '{"code.function.parameters.city.type":"str","code.function.parameters.city.value":"Paris"}',
    },
  ])('run a function as Google has it %#', (given) => {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'code.function.return.value': 'sunny', ...given };
    const span = read(attributes);
    expect(span).toMatchObject({ input: { value: '{"city":"Paris"}' }, output: { value: 'sunny' } });
    expect(flat(span)).toMatchObject({ ...attributes, 'tool.parameters.city': 'Paris' });
  });

  it('retrieve documents', () => {
    const span = read({
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.retrieval.query.text': 'What is a cairn?',
      'gen_ai.retrieval.documents': '[{"id":"d1","score":0.5,"content":"Stones."},{"id":"d2","score":null}]',
    });
    expect(span).toMatchObject({ kind: 'RETRIEVER', input: { value: 'What is a cairn?', mimeType: 'text/plain' } });
    expect(flat(span)).toMatchObject({
      'retrieval.documents.0.document.id': 'd1',
      'retrieval.documents.0.document.score': 0.5,
      'retrieval.documents.0.document.content': 'Stones.',
      'retrieval.documents.1.document.id': 'd2',
    });
    expect(flat(span)).not.toHaveProperty('retrieval.documents.1.document.score');
  });

  it('embed', () => {
    const span = read({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.request.model': 'text-embedding-3-small',
      'gen_ai.usage.input_tokens': 16n,
    });
    expect(span).toMatchObject({ kind: 'EMBEDDING', modelName: 'text-embedding-3-small', tokenCounts: { prompt: 16 } });
    expect(flat(span)['embedding.model_name']).toBe('text-embedding-3-small');
  });

  it('embed texts that come in the shape of messages', () => {
    const span = read({
      'gen_ai.operation.name': 'embeddings',
      'gen_ai.input.messages':
        '[{"role":"user","parts":[{"type":"text","content":"a"}]},{"role":"user","parts":[{"type":"text","content":"b"}]}]',
      'gen_ai.request.encoding_formats': ['float'],
    });
    expect(span.input).toEqual({ value: '["a","b"]', mimeType: 'application/json' });
    expect(flat(span)).toMatchObject({
      'embedding.embeddings.0.embedding.text': 'a',
      'embedding.embeddings.1.embedding.text': 'b',
      'embedding.invocation_parameters': '{"encoding_format":"float"}',
    });
    expect(Object.keys(flat(span)).filter((key) => key.startsWith('llm.input_messages'))).toEqual([]);
  });

  it('embeddings of which no operation is named', () => {
    const span = read({ 'gen_ai.request.model': 'm', 'gen_ai.request.encoding_formats': ['float'] });
    expect(span).toMatchObject({ kind: 'EMBEDDING', modelName: 'm' });
  });

  it('what Mastra sends beside the conventions', () => {
    const span = read({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.stop_sequences': '["END"]',
      'gen_ai.usage.input_tokens': 100n,
      'gen_ai.usage.output_tokens': 50n,
      'gen_ai.usage.reasoning_tokens': 20n,
      'gen_ai.usage.cached_input_tokens': 30n,
      'gen_ai.usage.cache_write_tokens': 10n,
      'gen_ai.usage.audio_input_tokens': 5n,
      'gen_ai.usage.audio_output_tokens': 6n,
    });
    expect(span.tokenCounts).toMatchObject({ prompt: 100, reasoning: 20, cacheRead: 30, cacheWrite: 10 });
    expect(flat(span)).toMatchObject({
      'llm.token_count.prompt_details.audio': 5,
      'llm.token_count.completion_details.audio': 6,
      'llm.invocation_parameters': '{"stop":["END"]}',
    });
  });

  it('how long Spring AI asks embeddings to be', () => {
    const span = read({ 'gen_ai.operation.name': 'embedding', 'gen_ai.request.embedding.dimensions': 256n });
    expect(flat(span)['embedding.invocation_parameters']).toBe('{"dimensions":256}');
  });

  it('rerank', () => {
    const span = read({ 'gen_ai.operation.name': 'rerank', 'gen_ai.request.model': 'm' });
    expect(span).toMatchObject({ kind: 'RERANKER', modelName: 'm' });
  });
});

function read(attributes: Readonly<Record<string, AnyValue>>): Span {
  return normalizeSpan(otlpSpan({ attributes }), otlpScope(), otlpResource(), 0n);
}

function flat(span: Span): Record<string, unknown> {
  return Object.fromEntries(flattenAttributes(span.attributes));
}
