import { describe, expect, it } from 'vitest';
import { readConversation } from './conversation.ts';
import { divideConversation, lastQuestion } from './divide-conversation.ts';

const message = (role: string, content: string) => ({ message: { role, content } });

function divide(input: readonly ReturnType<typeof message>[], output: readonly ReturnType<typeof message>[] = []) {
  const llm = { input_messages: [...input], output_messages: [...output] };
  const { earlier, recent } = divideConversation(readConversation({ llm }));
  const texts = (messages: typeof earlier) =>
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])));
  return { earlier: texts(earlier), recent: texts(recent), question: lastQuestion(earlier) };
}

describe('a conversation', () => {
  const history = [message('system', 'be kind'), message('user', 'hi'), message('assistant', 'hello')];

  it('is read from the last input on', () => {
    expect(divide([...history, message('user', 'where?')], [message('assistant', 'there')])).toEqual({
      earlier: ['be kind', 'hi', 'hello'],
      recent: ['where?', 'there'],
      question: 'hi',
    });
  });

  it('keeps every answer in sight where there are several', () => {
    const answers = [message('assistant', 'one'), message('assistant', 'two')];
    expect(divide(history, answers).recent).toEqual(['hello', 'one', 'two']);
  });

  it('ends with its last input where nothing was answered', () => {
    expect(divide(history)).toMatchObject({ earlier: ['be kind', 'hi'], recent: ['hello'] });
  });

  it('is shown whole where little comes before the last input', () => {
    expect(divide([message('system', 'be kind'), message('user', 'hi')], [message('assistant', 'hello')])).toEqual({
      earlier: [],
      recent: ['be kind', 'hi', 'hello'],
      question: undefined,
    });
    expect(divide([], [message('assistant', 'hello')]).recent).toEqual(['hello']);
  });
});
