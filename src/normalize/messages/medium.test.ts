import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '#base/json';
import { readMessages } from '../gen-ai/messages.ts';

const DATA = 'iVBORw0KGgo=';
const PDF = 'application/pdf';
const PNG_URL = `data:image/png;base64,${DATA}`;
const PDF_URL = `data:${PDF};base64,${DATA}`;
const png = image(PNG_URL);
const pdf = document(PDF_URL, PDF);

describe('a part that shows something', () => {
  it.each([
    ['a picture of Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } }, png],
    ['its address', { type: 'image', source: { type: 'url', url: 'https://a/b.png' } }, image('https://a/b.png')],
    ['its file', { type: 'image', source: { type: 'file', file_id: 'file_1' } }, image('file_1')],
    [
      'a document of Anthropic',
      { type: 'document', source: { type: 'base64', media_type: PDF, data: DATA }, title: 'Terms' },
      document(PDF_URL, PDF, 'Terms'),
    ],
    ['its file', { type: 'document', source: { type: 'file', file_id: 'file_1' } }, document('file_1')],
    ['a picture of Bedrock', { image: { format: 'png', source: { bytes: DATA } } }, png],
    [
      'its address',
      { image: { format: 'png', source: { s3Location: { uri: 's3://b/k.png', bucketOwner: '1' } } } },
      image('s3://b/k.png'),
    ],
    [
      'a document of Bedrock',
      { document: { format: 'pdf', name: 'terms', source: { bytes: DATA } } },
      document(PDF_URL, PDF, 'terms'),
    ],
    [
      'a film of Bedrock',
      { video: { format: 'mp4', source: { s3Location: { uri: 's3://b/k.mp4' } } } },
      medium('video', { url: 's3://b/k.mp4' }),
    ],
    ['a picture of Strands', { type: 'image', content: { format: 'png', source: { bytes: DATA } } }, png],
    [
      'its address',
      { type: 'image', content: { format: 'png', source: { location: { type: 's3', uri: 's3://b/k.png' } } } },
      image('s3://b/k.png'),
    ],
    [
      'a document of Strands without its data',
      { type: 'document', content: { format: 'pdf', name: 'terms', source: { bytes: '<replaced>' } } },
      medium('document', { mime_type: PDF, name: 'terms' }),
    ],
    ['inline data of Gemini', { inline_data: { mime_type: 'image/png', data: DATA } }, png],
    ['a file of Gemini', { fileData: { fileUri: 'gs://b/x.pdf', mimeType: PDF } }, document('gs://b/x.pdf', PDF)],
    ['a picture of OpenAI', { type: 'input_image', image_url: PNG_URL, detail: 'auto' }, png],
    ['its file', { type: 'input_image', image_url: null, file_id: 'file-1' }, image('file-1')],
    [
      'a sound of OpenAI',
      { type: 'input_audio', input_audio: { data: DATA, format: 'wav' } },
      medium('audio', { url: `data:audio/wav;base64,${DATA}`, mime_type: 'audio/wav' }),
    ],
    [
      'a file of OpenAI’s chat completions',
      { type: 'file', file: { filename: 'a.pdf', file_data: PDF_URL } },
      document(PDF_URL, undefined, 'a.pdf'),
    ],
    [
      'a file of OpenAI’s Responses API',
      { type: 'input_file', filename: 'a.pdf', file_data: PDF_URL },
      document(PDF_URL, undefined, 'a.pdf'),
    ],
    ['its address', { type: 'input_file', file_url: 'https://a/b.pdf' }, document('https://a/b.pdf')],
    ['a file of LangChain', { type: 'file', base64: DATA, mime_type: PDF }, pdf],
    ['one before its version 1', { type: 'file', source_type: 'base64', data: DATA, mime_type: PDF }, pdf],
    ['a medium of LangChain’s Gemini', { type: 'media', mime_type: 'image/png', data: DATA }, png],
    [
      'a file of the Vercel AI SDK',
      { type: 'file', data: DATA, mediaType: PDF, filename: 'a.pdf' },
      document(PDF_URL, PDF, 'a.pdf'),
    ],
    [
      'its address',
      { type: 'file', data: { type: 'url', url: 'https://a/b.png' }, mediaType: 'image/png' },
      image('https://a/b.png'),
    ],
    ['an address of Pydantic AI', { type: 'image-url', url: 'https://a/b.png' }, image('https://a/b.png')],
    ['data of Pydantic AI', { type: 'binary', media_type: 'image/png', content: DATA }, png],
    ['data that it left out', { type: 'binary', media_type: 'image/png' }, medium('image', { mime_type: 'image/png' })],
    ['a file of the conventions', { type: 'file', modality: 'image', file_id: 'f1' }, image('f1')],
    [
      'bytes of JavaScript',
      { type: 'image', image: { 0: 1, 1: 2 }, mediaType: 'image/gif' },
      image('data:image/gif;base64,AQI='),
    ],
  ])('is shown: %s', (_what, part, expected) => {
    expect(read({ role: 'user', content: [{ type: 'text', text: 'Look' }, part] })).toEqual([
      { message: { role: 'user', contents: [said('Look'), { message_content: expected }] } },
    ]);
  });

  it.each([
    ['Anthropic', { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'All of it.' } }],
    ['Anthropic, in one piece', { type: 'document', source: { type: 'content', content: 'All of it.' } }],
    ['Bedrock', { document: { format: 'txt', name: 'x', source: { text: 'All of it.' } } }],
    ['no provider', { type: 'document', title: 'x', text: 'All of it.' }],
  ])('is its text if it is a text file: %s', (_who, part) => {
    expect(read({ role: 'user', content: [part] })).toEqual([{ message: { role: 'user', content: 'All of it.' } }]);
  });
});

it.each([
  { type: 'document', title: 'Terms', content: 'plain words' },
  { type: 'file', name: 'a.txt', size: 3 },
])('a part stays as it is that has neither data nor an address: %j', (part) => {
  expect(read({ role: 'user', content: [part] })).toEqual([
    {
      message: {
        role: 'user',
        contents: [{ message_content: { type: part.type, text: JSON.stringify(part) } }],
      },
    },
  ]);
});

describe('a result of a tool with a picture', () => {
  it.each([
    [
      'Anthropic',
      {
        type: 'tool_result',
        tool_use_id: 'c',
        content: [
          { type: 'text', text: 'The screen' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
        ],
      },
    ],
    [
      'Bedrock',
      {
        toolResult: {
          toolUseId: 'c',
          status: 'success',
          content: [{ text: 'The screen' }, { image: { format: 'png', source: { bytes: DATA } } }],
        },
      },
    ],
    [
      'OpenAI',
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'The screen' },
          { type: 'input_image', image_url: PNG_URL },
        ],
      },
    ],
    [
      'the Vercel AI SDK',
      {
        type: 'tool-result',
        toolCallId: 'c',
        toolName: 'look',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'The screen' },
            { type: 'image-data', data: DATA, mediaType: 'image/png' },
          ],
        },
      },
    ],
  ])('shows it: %s', (_who, part) => {
    expect(read({ role: 'user', content: [part] })).toEqual([
      { message: { role: 'tool', tool_call_id: 'c', contents: [said('The screen'), { message_content: png }] } },
    ]);
  });
});

function read(message: object): readonly JsonObject[] {
  return readMessages(parseJson(JSON.stringify([message])), 'user').read;
}

function said(text: string) {
  return { message_content: { type: 'text', text } };
}

function medium(type: string, target: object) {
  return { type, [type]: { [type]: target } };
}

function image(url: string) {
  return medium('image', { url });
}

function document(url: string, mimeType?: string, name?: string) {
  return medium('document', {
    url,
    ...(mimeType !== undefined && { mime_type: mimeType }),
    ...(name !== undefined && { name }),
  });
}
