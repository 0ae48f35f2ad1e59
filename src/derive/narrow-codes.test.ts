import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberPacker, packName, signsOfMember, unpackMembers, unpackNames } from './narrow-codes.ts';
import { narrowAttributes } from './narrow-row.ts';

const anyKey = fc.oneof(
  fc.constantFrom('input.value', 'input.mime_type', 'openinference.span.kind', 'gen_ai.tool.name', 'error.type'),
  fc.string({ unit: 'binary' }),
);
const anyValue = fc.oneof(
  fc.constantFrom('LLM', 'text/plain', '"input.value":', '\u0001', '\u001f0', '{"input.value":1}'),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.boolean(),
);

describe('packed attributes', () => {
  it('are the same members again, whatever their names and values', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(anyKey, anyValue), { selector: ([key]) => key }), (members) => {
        const json = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        const packed = members.map(([key, value]) => memberPacker(JSON.stringify(key))(JSON.stringify(value)));
        expect(unpackMembers(`{${packed.join(',')}}`)).toBe(`{${json.join(',')}}`);
        const keys = members.map(([key]) => JSON.stringify(key));
        expect(unpackNames(`[${keys.map(packName).join(',')}]`)).toBe(`[${keys.join(',')}]`);
        for (const key of ['input.value', 'openinference.span.kind', 'input.mime_type', 'other']) {
          const isThere = members.some(([name]) => name === key);
          expect(signsOfMember(key).some((sign) => packed.join(',').includes(sign))).toBe(isThere);
        }
      }),
    );
  });

  it('that an earlier version stored as JSON are read as they are', () => {
    const json = '{"input.value":"a","openinference.span.kind":"LLM","x":"\\u0001"}';
    expect(unpackMembers(json)).toBe(json);
    expect(unpackNames('["input.value","llm.tools."]')).toBe('["input.value","llm.tools."]');
  });

  it('take a fifth of the bytes that usual names and kinds take as JSON', () => {
    const { text, omitted } = narrowAttributes([
      ['openinference.span.kind', 'LLM'],
      ['llm.model_name', 'm'],
      ['llm.token_count.prompt', 1],
      ['input.mime_type', 'application/json'],
      ['input.value', 'x'.repeat(1000)],
    ]);
    expect(text.length).toBeLessThan(unpackMembers(text).length / 5);
    expect(JSON.parse(unpackNames(omitted ?? ''))).toEqual(['input.value']);
    expect(omitted).toHaveLength(3);
  });

  it('are read by codes that never change', () => {
    const codes = Array.from({ length: 31 }, (_, place) => String.fromCharCode(place + 1)).slice(0, 30);
    const longCodes = Array.from({ length: 54 }, (_, place) => `\u001f${String.fromCharCode(0x30 + place)}`);
    expect([...codes, ...longCodes].map(unpackMembers)).toMatchInlineSnapshot(`
      [
        ""input.value":",
        ""output.value":",
        ""openinference.span.kind":",
        ""session.id":",
        ""user.id":",
        ""metadata":",
        ""llm.model_name":",
        ""llm.provider":",
        ""llm.system":",
        ""llm.invocation_parameters":",
        ""llm.cost.total":",
        ""llm.token_count.prompt":",
        ""llm.token_count.completion":",
        ""llm.token_count.total":",
        ""llm.token_count.prompt_details.cache_read":",
        ""llm.input_messages.":",
        ""llm.output_messages.":",
        ""llm.tools.":",
        ""tool.name":",
        ""tool.description":",
        ""tool.parameters":",
        ""gen_ai.operation.name":",
        ""openinference.span.kind":"LLM"",
        ""openinference.span.kind":"CHAIN"",
        ""openinference.span.kind":"TOOL"",
        ""openinference.span.kind":"AGENT"",
        ""input.mime_type":"text/plain"",
        ""input.mime_type":"application/json"",
        ""output.mime_type":"text/plain"",
        ""output.mime_type":"application/json"",
        ""openinference.span.kind":"RETRIEVER"",
        ""openinference.span.kind":"EMBEDDING"",
        ""llm.token_count.prompt_details.cache_write":",
        ""llm.token_count.prompt_details.audio":",
        ""llm.token_count.completion_details.reasoning":",
        ""llm.token_count.completion_details.audio":",
        ""llm.cost.prompt":",
        ""llm.cost.completion":",
        ""llm.prompts.":",
        ""llm.choices.":",
        ""llm.finish_reason":",
        ""llm.function_call":",
        ""llm.prompt_template.template":",
        ""llm.prompt_template.variables":",
        ""retrieval.documents.":",
        ""reranker.input_documents.":",
        ""reranker.output_documents.":",
        ""reranker.query":",
        ""reranker.model_name":",
        ""reranker.top_k":",
        ""embedding.embeddings.":",
        ""embedding.model_name":",
        ""agent.name":",
        ""graph.node.id":",
        ""graph.node.name":",
        ""graph.node.parent_id":",
        ""tag.tags":",
        ""tool.id":",
        ""tool.json_schema":",
        ""gen_ai.system":",
        ""gen_ai.provider.name":",
        ""gen_ai.request.model":",
        ""gen_ai.response.model":",
        ""gen_ai.response.id":",
        ""gen_ai.usage.input_tokens":",
        ""gen_ai.usage.output_tokens":",
        ""gen_ai.conversation.id":",
        ""gen_ai.request.temperature":",
        ""gen_ai.request.max_tokens":",
        ""gen_ai.agent.name":",
        ""gen_ai.tool.name":",
        ""gen_ai.tool.call.id":",
        ""gen_ai.output.type":",
        ""server.address":",
        ""server.port":",
        ""error.type":",
        "^",
        "_",
        "\`",
        "a",
        "b",
        "c",
        "d",
        "e",
      ]
    `);
  });
});
