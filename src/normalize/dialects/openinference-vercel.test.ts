import { expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

type Sent = Readonly<Record<string, string>>;

const read = (attributes: Sent) =>
  readSpan({ scope: 'ai', attributes: { 'openinference.span.kind': 'LLM', 'ai.operationId': 'ai.x', ...attributes } });

const MESSAGE = 'llm.input_messages.0.message';

it('adds a picture that the processor left out', () => {
  const part = { type: 'file', mediaType: 'image/png', data: 'iVBORw0=' };
  const span = read({
    [`${MESSAGE}.role`]: 'user',
    [`${MESSAGE}.contents.0.message_content.type`]: 'text',
    [`${MESSAGE}.contents.0.message_content.text`]: 'What is this?',
    [`${MESSAGE}.contents.1.message_content.type`]: 'file',
    'ai.prompt.messages': JSON.stringify([{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }]),
  });
  expect(messagesOf(span, 'input')).toEqual([
    {
      role: 'user',
      contents: [
        { message_content: { type: 'text', text: 'What is this?' } },
        { message_content: { type: 'image', image: { image: { url: 'data:image/png;base64,iVBORw0=' } } } },
      ],
    },
  ]);
});

it('reads JSON once that the processor wrote twice, and results without their wrapping', () => {
  const call = `${MESSAGE}.tool_calls.0.tool_call`;
  const span = read({
    [`${MESSAGE}.role`]: 'assistant',
    [`${MESSAGE}.contents.0.message_content.type`]: 'tool-call',
    [`${call}.id`]: 'c',
    [`${call}.function.name`]: 'f',
    [`${call}.function.arguments`]: '"{\\"a\\":1}"',
    'llm.input_messages.1.message.role': 'tool',
    'llm.input_messages.1.message.tool_call_id': 'c',
    'llm.input_messages.1.message.content': '{"type":"text","value":"sunny"}',
    'llm.input_messages.2.message.role': 'tool',
    'llm.input_messages.2.message.content': '{"type":"json","value":{"degrees":18}}',
    'llm.input_messages.3.message.role': 'user',
    'llm.input_messages.3.message.content': '{"type":"text","value":"mine"}',
  });
  expect(messagesOf(span, 'input')).toEqual([
    { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'f', arguments: '{"a":1}' } } }] },
    { role: 'tool', tool_call_id: 'c', content: 'sunny' },
    { role: 'tool', content: '{"degrees":18}' },
    { role: 'user', content: '{"type":"text","value":"mine"}' },
  ]);
});

it('changes nothing where its source is another conversation', () => {
  const sent = { [`${MESSAGE}.role`]: 'user', 'ai.prompt.messages': '[{"role":"system","content":"Be brief."}]' };
  expect(flatAttributes(read(sent))).toMatchObject(sent);
  expect(messagesOf(read(sent), 'input')).toEqual([{ role: 'user' }]);
});
