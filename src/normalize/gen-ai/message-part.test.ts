import { describe, expect, it } from 'vitest';
import { type JsonObject, type JsonValue, parseJson } from '#base/json';
import { readMessagePart } from './message-part.ts';
import { toolResultText } from './tool-call.ts';

describe('readMessagePart', () => {
  it.each([
    ['a text', { type: 'text', content: 'a' }, { type: 'text', text: 'a' }],
    ['a text of OpenAI', { type: 'output_text', text: 'a' }, { type: 'text', text: 'a' }],
    [
      'a text of OpenAI’s assistants',
      { type: 'text', text: { value: 'a', annotations: [] } },
      { type: 'text', text: 'a' },
    ],
    ['a text of Azure’s agents', { text: { value: 'a' } }, { type: 'text', text: 'a' }],
    ['a text of Bedrock', { text: 'a' }, { type: 'text', text: 'a' }],
    [
      'thinking of Anthropic',
      { type: 'thinking', thinking: 'a', signature: 's' },
      content('reasoning', { text: 'a', signature: 's' }),
    ],
    [
      'reasoning of Bedrock',
      { reasoningContent: { reasoningText: { text: 'a' } } },
      content('reasoning', { text: 'a' }),
    ],
    ['a call of Anthropic', { type: 'tool_use', id: 'c', name: 'f', input: { x: 1 } }, call('c', 'f', '{"x":1}')],
    ['a call of Bedrock', { toolUse: { toolUseId: 'c', name: 'f', input: {} } }, call('c', 'f', '{}')],
    ['an answer', { type: 'tool_call_response', id: 'c', response: 'a' }, result('c', 'a')],
    ['an answer under its older name', { type: 'tool_call_response', id: 'c', result: 'a' }, result('c', 'a')],
    [
      'an answer of Anthropic',
      { type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'a' }] },
      result('c', 'a'),
    ],
    ['an answer of Bedrock', { toolResult: { toolUseId: 'c', content: [{ text: 'a' }] } }, result('c', 'a')],
    [
      'reasoning that only its provider can read',
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'e' },
      content('reasoning', { text: 'a', id: 'rs_1', encrypted_content: 'e' }),
    ],
    ['hidden thinking of Anthropic', { type: 'redacted_thinking', data: 'd' }, content('reasoning', { data: 'd' })],
    [
      'a call of a tool that the provider runs',
      { type: 'server_tool_call', id: 'c', name: 'web_search', server_tool_call: { type: 'web_search', query: 'q' } },
      call('c', 'web_search', '{"type":"web_search","query":"q"}'),
    ],
    [
      'its answer',
      { type: 'server_tool_call_response', id: 'c', server_tool_call_response: { type: 'web_search', hits: 1 } },
      result('c', '{"type":"web_search","hits":1}'),
    ],
    [
      'a call of OpenAI’s Responses API',
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' },
      call('c', 'f', '{}'),
    ],
    ['its answer', { type: 'function_call_output', call_id: 'c', output: 'a' }, result('c', 'a')],
    ['a call of Gemini', { function_call: { id: 'c', name: 'f', args: { x: 1 } } }, call('c', 'f', '{"x":1}')],
    ['a thought of Gemini', { text: 'a', thought: true }, content('reasoning', { text: 'a' })],
    [
      'a picture of Anthropic',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
      content('image', { image: { image: { url: 'data:image/png;base64,iVBO' } } }),
    ],
    [
      'a file of Google ADK',
      { type: 'file_data', mime_type: 'image/png', uri: 'gs://b/x.png' },
      content('image', { image: { image: { url: 'gs://b/x.png' } } }),
    ],
    ['an answer to nobody', { type: 'tool_call_response' }, result(undefined, '')],
    [
      'an inline picture of older drafts',
      { type: 'blob', mime_type: 'image/gif', data: 'R0' },
      content('image', { image: { image: { url: 'data:image/gif;base64,R0' } } }),
    ],
    [
      'a sound',
      { type: 'uri', modality: 'audio', mime_type: 'audio/wav', uri: 'https://s' },
      content('audio', { audio: { audio: { url: 'https://s', mime_type: 'audio/wav' } } }),
    ],
    [
      'a film',
      { type: 'uri', modality: 'video', uri: 'https://v' },
      content('video', { video: { video: { url: 'https://v' } } }),
    ],
    [
      'a document',
      { type: 'uri', mime_type: 'application/pdf', uri: 'https://d' },
      content('document', { document: { document: { url: 'https://d', mime_type: 'application/pdf' } } }),
    ],
    [
      'a picture of OpenAI',
      { type: 'image_url', image_url: 'https://i' },
      content('image', { image: { image: { url: 'https://i' } } }),
    ],
  ])('reads %s', (_what, part, expected) => {
    expect(readMessagePart(json(part) as JsonObject)).toEqual(expected);
  });

  it.each([
    ['of an unknown type', { type: 'moon', phase: 1 }, 'moon'],
    ['of an unknown field', { moon: { name: 'x' } }, 'moon'],
    ['of a file that says nothing else', { type: 'file' }, 'file'],
    ['whose text is none', { type: 'text', content: 5 }, 'text'],
    ['whose reasoning is none', { type: 'reasoning' }, 'reasoning'],
    ['whose data is none', { type: 'blob', content: {} }, 'blob'],
    ['without anything', {}, 'unknown'],
  ])('keeps a part %s as JSON', (_what, part, type) => {
    expect(readMessagePart(json(part) as JsonObject)).toEqual(content(type, { text: JSON.stringify(part) }));
  });
});

describe('a medium whose data was left out', () => {
  it.each([
    ['of the conventions', { type: 'blob', modality: 'image', mime_type: 'image/png', content: '<replaced>' }],
    ['of Bedrock', { image: { format: 'png', source: { bytes: '<replaced>' } } }],
    ['of Strands', { type: 'image', content: { format: 'png', source: { bytes: '<replaced>' } } }],
  ])('%s is shown as one', (_what, part) => {
    expect(readMessagePart(json(part) as JsonObject)).toEqual(
      content('image', { image: { image: { mime_type: 'image/png' } } }),
    );
  });

  it.each([
    ['anthropic_image', 'image'],
    ['input_audio', 'audio'],
    ['image_url', 'image'],
    ['video', 'video'],
  ])('of type %s alone is shown as %s', (type, medium) => {
    expect(readMessagePart({ type })).toEqual(content(medium, {}));
  });
});

describe('toolResultText', () => {
  it.each([
    ['text', 'a', 'a'],
    ['texts', [{ text: 'a' }, { type: 'text', content: 'b' }], 'a\nb'],
    ['texts and more', [{ text: 'a' }, { json: { b: 1 } }], '[{"text":"a"},{"json":{"b":1}}]'],
    ['nothing', [], '[]'],
    ['an object', { a: 1 }, '{"a":1}'],
  ])('gives %s', (_what, value, expected) => {
    expect(toolResultText(json(value))).toBe(expected);
  });
});

function content(type: string, fields: Record<string, unknown>) {
  return { type: 'content', content: { type, ...fields } };
}

function call(id: string, name: string, args: string) {
  return { type: 'tool_call', call: { id, function: { name, arguments: args } } };
}

function result(callId: string | undefined, text: string) {
  return { type: 'tool_result', callId, text, contents: [] };
}

function json(value: unknown): JsonValue {
  return parseJson(JSON.stringify(value));
}
