import { describe, expect, it } from 'vitest';
import { parseJson } from '#base/json';
import { canonicalText, readContents, withoutCallIds } from './span-contents.ts';
import type { AttributeTree } from './attributes.ts';

const parametersOf = (attributes: unknown) => readContents(tree(attributes)).parameters;

const tree = (value: unknown) => parseJson(JSON.stringify(value)) as AttributeTree;

describe('the contents of a span', () => {
  it('are its messages where it has some, the instructions among them being the prompt', () => {
    const contents = readContents(
      tree({
        input: { value: '{"raw":1}' },
        llm: {
          input_messages: [
            { message: { role: 'system', content: 'Be brief.' } },
            { message: { role: 'user', content: 'Hello' } },
          ],
          output_messages: [{ message: { role: 'assistant', content: 'Hi' } }],
        },
      }),
    );
    expect(contents).toEqual({
      output: [{ message: { role: 'assistant', content: 'Hi' } }],
      input: [{ message: { role: 'user', content: 'Hello' } }],
      prompt: { message: { role: 'system', content: 'Be brief.' } },
      parameters: null,
      tools: null,
    });
  });

  it('leave out a prompt that is repeated before the answer', () => {
    const question = { message: { role: 'user', content: 'Hello' } };
    const answer = { message: { role: 'assistant', content: 'Hi' } };
    const llm = { input_messages: [question], output_messages: [question, answer] };
    expect(readContents(tree({ llm })).output).toEqual([answer]);
  });

  it('are documents, queries and values where there are no messages', () => {
    const retrieval = { documents: [{ document: { content: 'a' } }] };
    expect(readContents(tree({ input: { value: 'q' }, output: { value: 'o' }, retrieval }))).toMatchObject({
      input: 'q',
      output: retrieval.documents,
    });
    expect(readContents(tree({ output: { value: '{"b":1}' } })).output).toEqual({ b: 1 });
    expect(readContents(tree({ tool: { parameters: '{"city":"Rome"}' } })).input).toEqual({ city: 'Rome' });
    expect(readContents(tree({}))).toEqual({ output: null, input: null, prompt: null, parameters: null, tools: null });
  });

  it('have parameters without what is compared by itself', () => {
    expect(parametersOf({ llm: { invocation_parameters: '{"model":"gpt-4o","temperature":0.2,"tools":[]}' } })).toEqual(
      { temperature: 0.2 },
    );
    expect(parametersOf({ reranker: { top_k: 3 } })).toEqual({ top_k: 3 });
    expect(parametersOf({ llm: { invocation_parameters: '{"model":"gpt-4o"}' } })).toBeNull();
  });

  it('have what was embedded, without its vectors', () => {
    const embeddings = [{ embedding: { text: 'a', vector: [0.1, 0.2] } }];
    expect(readContents(tree({ embedding: { embeddings } })).input).toEqual([{ embedding: { text: 'a' } }]);
  });
});

it('ids that a provider makes up for a call are left out, ids of the application are not', () => {
  const value = {
    id: 'chatcmpl-9aB3xYz81',
    tool_call_id: 'anything',
    calls: [{ id: 'call_f00d1234', arguments: '{"order":{"id":"call_me","run":"4711"}}' }],
  };
  expect(withoutCallIds(tree(value))).toEqual({ calls: [{ arguments: { order: { id: 'call_me', run: '4711' } } }] });
});

it('equal values have equal texts, whatever the order of their keys', () => {
  expect(canonicalText(tree({ b: [1, { d: 'x', c: null }], a: 2 }))).toBe('{"a":2,"b":[1,{"c":null,"d":"x"}]}');
  expect(canonicalText(parseJson('[1.0, 12345678901234567890]'))).toBe('[1.0,12345678901234567890]');
});
