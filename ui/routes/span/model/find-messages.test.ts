import { expect, it } from 'vitest';
import { readConversation } from './conversation.ts';
import { findMessages, textOfMessage } from './find-messages.ts';

const MESSAGES = readConversation({
  llm: {
    input_messages: [
      { message: { role: 'user', content: 'Where is my Parcel?' } },
      {
        message: {
          role: 'assistant',
          contents: [{ message_content: { type: 'reasoning', text: 'Ask the depot.' } }],
          tool_calls: [{ tool_call: { id: 'a', function: { name: 'find_parcel', arguments: '{"number":4711}' } } }],
        },
      },
      { message: { role: 'tool', tool_call_id: 'a', content: '{"city":"Leipzig"}' } },
    ],
    output_messages: [{ message: { role: 'assistant', content: 'It is in Leipzig.' } }],
  },
});

it('a query is found in what was said, thought, called and answered', () => {
  expect(findMessages(MESSAGES, ' parcel')).toEqual([0, 1]);
  expect(findMessages(MESSAGES, 'DEPOT')).toEqual([1]);
  expect(findMessages(MESSAGES, '4711')).toEqual([1]);
  expect(findMessages(MESSAGES, 'leipzig')).toEqual([1, 2]);
  expect(findMessages(MESSAGES, 'Hamburg')).toEqual([]);
  expect(findMessages(MESSAGES, ' ')).toEqual([]);
});

it('a message is copied with its calls', () => {
  expect(MESSAGES.map(textOfMessage)).toEqual([
    'Where is my Parcel?',
    'find_parcel({\n  "number": 4711\n})',
    'It is in Leipzig.',
  ]);
});
