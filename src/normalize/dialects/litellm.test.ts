import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

type Sent = Readonly<Record<string, string | bigint | number>>;

const read = (attributes: Sent, name = 'litellm_request') => readSpan({ name, scope: 'litellm', attributes });

it.each([
  ['acompletion', 'LLM'],
  ['completion', 'LLM'],
  ['aresponses', 'LLM'],
  ['aembedding', 'EMBEDDING'],
  ['arerank', 'RERANKER'],
  ['image_generation', 'UNKNOWN'],
])('a call of type %s is %s', (type, kind) => {
  expect(read({ 'llm.request.type': type }).kind).toBe(kind);
  expect(readSpan({ scope: 'mine', attributes: { 'litellm.call_type': type } }).kind).toBe(kind);
});

it('shows what went to the provider as a step of the call', () => {
  expect(read({ 'llm.openai.model': 'gpt' }, 'raw_gen_ai_request').kind).toBe('CHAIN');
});

describe('a call', () => {
  it('has models, provider, messages, tokens and cost', () => {
    const span = read({
      'llm.request.type': 'acompletion',
      'gen_ai.operation.name': 'acompletion',
      'gen_ai.request.model': 'openai/gpt',
      'gen_ai.response.model': 'gpt-1',
      'gen_ai.system': 'openai',
      'gen_ai.usage.input_tokens': 3n,
      'gen_ai.usage.output_tokens': 2n,
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi"}]}]',
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"text","content":"Hello"}],"finish_reason":"stop"}]',
      'gen_ai.response.finish_reasons': '["stop"]',
      'gen_ai.cost.total_cost': 0.3,
      'gen_ai.cost.input_cost': 0.1,
      'gen_ai.cost.cache_read_cost': 0.02,
      'gen_ai.cost.cache_creation_cost': 0.03,
      'gen_ai.cost.reasoning_cost': 0.04,
      hidden_params: '{"response_cost":9}',
    });
    expect(span).toMatchObject({ kind: 'LLM', modelName: 'gpt-1', provider: 'openai', reportedCostUsd: 0.3 });
    expect(span.tokenCounts).toMatchObject({ prompt: 3, completion: 2 });
    expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Hello', finish_reason: 'stop' }]);
    expect(flatAttributes(span)).toMatchObject({
      'llm.request.model_name': 'gpt',
      'llm.finish_reason': 'stop',
      'llm.cost.prompt': 0.1,
      'llm.cost.prompt_details.cache_read': 0.02,
      'llm.cost.prompt_details.cache_write': 0.03,
      'llm.cost.completion_details.reasoning': 0.04,
    });
  });

  it('of the second callback has tools, cost, user and metadata in names of its own', () => {
    const span = read({
      'litellm.call_type': 'acompletion',
      'gen_ai.operation.name': 'chat',
      'gen_ai.tool.1.name': 'g',
      'gen_ai.tool.0.name': 'f',
      'gen_ai.tool.0.description': 'F',
      'gen_ai.tool.0.parameters': '{"type":"object"}',
      'litellm.cost.total': 0.3,
      'litellm.end_user.id': 'u',
      'litellm.metadata.session_id': 's',
      'litellm.metadata.tenant': 'acme',
    });
    expect(span).toMatchObject({ userId: 'u', sessionId: 's', reportedCostUsd: 0.3 });
    expect(flatAttributes(span)).toMatchObject({
      'llm.tools.0.tool.json_schema':
        '{"type":"function","function":{"name":"f","description":"F","parameters":{"type":"object"}}}',
      'llm.tools.1.tool.json_schema': '{"type":"function","function":{"name":"g"}}',
      'metadata.tenant': 'acme',
    });
  });

  it('through the proxy has what its client said, as a Python repr', () => {
    const requester = "{'session_id': 's', 'tags': ['a', 'b'], 'nothing': None}";
    const span = read({ 'metadata.requester_metadata': requester, 'metadata.user_api_key_end_user_id': 'u' });
    expect(span).toMatchObject({ userId: 'u', sessionId: 's' });
    expect(flatAttributes(span)).toMatchObject({ 'tag.tags': ['a', 'b'], 'metadata.requester_metadata': requester });
  });
});

it('reads what it sends to services that read OpenInference', () => {
  const call = flatAttributes(
    read({
      'llm.request.type': 'completion',
      'llm.response.model': 'm-1',
      'llm.is_streaming': 'False',
      'llm.tools.0.name': 'f',
      'llm.tools.0.parameters': '{"type":"object"}',
      'gen_ai.operation.name': 'chat',
    }),
  );
  expect(call).toMatchObject({
    'llm.response.model_name': 'm-1',
    'llm.tools.0.name': 'f',
    'llm.tools.0.tool.json_schema': '{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}',
    'llm.invocation_parameters': '{"stream":false}',
  });
  const embedding = flatAttributes(
    read({
      'llm.request.type': 'embedding',
      'llm.response.model': 'e-1',
      'embedding.vector.0': '[1.5,2]',
      'embedding.vector.1': '[3,4]',
    }),
  );
  expect(embedding).toMatchObject({
    'openinference.span.kind': 'EMBEDDING',
    'embedding.model_name': 'e-1',
    'embedding.embeddings.1.embedding.vector': [3, 4],
  });
});

it('names a guardrail', () => {
  expect(read({ 'litellm.guardrail.name': 'pii' }).kind).toBe('GUARDRAIL');
});
