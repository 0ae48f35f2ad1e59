import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json';
import { listRecordedSpans } from '../../../../test/support/recorded-spans.ts';
import { type ConversationMessage, readConversation } from './conversation.ts';

const user = (content: string) => ({ message: { role: 'user', content } });
const calls = (...list: { id?: string; name: string }[]) => ({
  message: {
    role: 'assistant',
    tool_calls: list.map(({ id, name }) => ({ tool_call: { ...(id && { id }), function: { name, arguments: '{}' } } })),
  },
});
const answer = (content: string, fields: JsonObject) => ({ message: { role: 'tool', content, ...fields } });

function read(input: JsonValue, output: JsonValue = []): ConversationMessage[] {
  return readConversation({ llm: { input_messages: input, output_messages: output } });
}

/** Every call with the texts of its answers, and what stands alone. */
function joined(messages: readonly ConversationMessage[]): string[] {
  return messages.flatMap(({ parts, isOrphan }) =>
    parts.flatMap((part) => {
      if (part.type === 'tool_call') {
        const texts = part.results.flatMap((result) =>
          result.parts.map((shown) => (shown.type === 'text' ? shown.text : shown.type)),
        );
        return [`${part.call.name}: ${texts.join(', ')}`];
      }
      return isOrphan && part.type === 'text' ? [`alone: ${part.text}`] : [];
    }),
  );
}

describe('answers of tools', () => {
  it('stand beside the calls that they name, in whatever order they came', () => {
    const asked = calls({ id: 'a', name: 'one' }, { id: 'b', name: 'two' });
    const messages = read([user('q'), asked, answer('2', { tool_call_id: 'b' }), answer('1', { tool_call_id: 'a' })]);
    expect(joined(messages)).toEqual(['one: 1', 'two: 2']);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('stand beside the latest call where an id is used again', () => {
    const once = [calls({ id: 'a', name: 'one' }), answer('first', { tool_call_id: 'a' })];
    const again = [calls({ id: 'a', name: 'one' }), answer('second', { tool_call_id: 'a' })];
    expect(joined(read([...once, ...again]))).toEqual(['one: first', 'one: second']);
  });

  it('gather beside a call that was answered more than once', () => {
    const twice = [
      calls({ id: 'a', name: 'one' }),
      answer('1', { tool_call_id: 'a' }),
      answer('2', { tool_call_id: 'a' }),
    ];
    expect(joined(read(twice))).toEqual(['one: 1, 2']);
  });

  it('are found by name, then by order, where they carry no id', () => {
    const asked = calls({ name: 'one' }, { name: 'two' }, { name: 'three' });
    expect(joined(read([asked, answer('2', { name: 'two' }), answer('1', {}), answer('3', {})]))).toEqual([
      'one: 1',
      'two: 2',
      'three: 3',
    ]);
  });

  it('stand alone where nothing here asked for them', () => {
    expect(joined(read([answer('x', { tool_call_id: 'gone' }), calls({ id: 'a', name: 'one' })]))).toEqual([
      'alone: x',
      'one: ',
    ]);
  });
});

describe('a conversation', () => {
  it('does not show the prompt again that an output repeats', () => {
    const said = { message: { role: 'assistant', content: 'a' } };
    expect(read([user('q')], [user('q'), said]).map(({ side, role }) => `${side} ${role}`)).toEqual([
      'input user',
      'output assistant',
    ]);
  });

  it('is empty where messages say nothing at all', () => {
    expect(read([{ message: { role: 'user' } }])).toEqual([]);
    expect(readConversation({})).toEqual([]);
  });

  it('shows as JSON what is no list of messages', () => {
    expect(read('{"model":"x"}')[0]?.parts).toMatchObject([{ type: 'json', value: { model: 'x' } }]);
    expect(read('just text')[0]?.parts).toEqual([{ type: 'text', text: 'just text' }]);
  });

  it('joins every answer in the recordings whose call is recorded beside it', () => {
    const alone = listRecordedSpans().filter(({ kind, attributes }) => {
      const messages = readConversation(attributes);
      const hasCalls = messages.some(
        ({ side, parts }) => side === 'input' && parts.some(({ type }) => type === 'tool_call'),
      );
      return kind === 'llm' && hasCalls && messages.some(({ isOrphan }) => isOrphan);
    });
    expect(alone.map(({ file }) => file)).toEqual([]);
  });

  it('is the same in the words of OpenInference and of the GenAI conventions', () => {
    const recorded = listRecordedSpans().filter(({ kind }) => kind === 'llm');
    const tell = (file: string) =>
      recorded.filter((span) => span.file === file).map(({ attributes }) => describeAll(readConversation(attributes)));
    expect(tell('otel-genai-openai/02-tools.binpb')).toEqual(tell('openinference-openai/02-tools.binpb'));
    expect(tell('otel-genai-openai/02-tools.binpb').at(-1)).toEqual([
      'system: You are a concise assistant.',
      'user: What is the weather in Paris and in Rome?',
      'assistant: get_weather({"city":"Paris"}) = 18 degrees and sunny',
      'assistant: get_weather({"city":"Rome"}) = 24 degrees and cloudy',
      expect.stringMatching(/^assistant: /),
    ]);
  });
});

function describeAll(messages: readonly ConversationMessage[]): string[] {
  return messages.flatMap(({ role, parts }) =>
    parts.map((part) => {
      if (part.type === 'text') return `${role}: ${part.text}`;
      if (part.type !== 'tool_call') return `${role}: ${part.type}`;
      const results = part.results.flatMap((result) =>
        result.parts.map((shown) => (shown.type === 'text' ? shown.text : shown.type)),
      );
      return `${role}: ${part.call.name}(${JSON.stringify(part.call.arguments)}) = ${results.join()}`;
    }),
  );
}
