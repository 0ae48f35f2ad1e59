import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import { placesOf } from './scope.ts';
import { searchableTexts, type SearchedSpan } from './searchable-texts.ts';

function textsOf(attributes: Record<string, JsonValue>, more: Partial<SearchedSpan> = {}) {
  const { texts } = searchableTexts({
    name: '',
    statusMessage: '',
    events: [],
    entries: Object.entries(attributes),
    ...more,
  });
  return Object.fromEntries([...texts].map(([text, places]) => [text, placesOf(places).join(' ')]));
}

describe('what of a span is searched', () => {
  it('is known by its place', () => {
    const found = textsOf(
      {
        'input.value': 'question',
        'input.mime_type': 'text/plain',
        'output.value': 'answer',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'question',
        'llm.output_messages.0.message.content': 'said',
        'llm.model_name': 'gpt-4o',
        'llm.token_count.prompt': 17,
        'retrieval.documents.0.document.content': 'found',
        'openinference.span.kind': 'LLM',
        'customer.tier': 'gold',
        nested: { list: ['one', { two: 'two' }] },
      },
      {
        name: 'chat',
        statusMessage: 'failed',
        events: [{ name: 'exception', attributes: { 'exception.message': 'boom', 'exception.escaped': 'False' } }],
      },
    );
    expect(found).toEqual({
      chat: 'names',
      failed: 'errors',
      'gpt-4o': 'names',
      boom: 'errors',
      answer: 'output',
      said: 'output',
      found: 'output',
      question: 'input',
      exception: 'other',
      False: 'other',
      gold: 'other',
      one: 'other',
      two: 'other',
    });
  });

  it('is the same text for a long string, wherever it stands in JSON or attributes', () => {
    const long = 'a question that is longer than a few words are';
    const messages = [{ role: 'user', content: long }];
    const found = textsOf({
      'input.value': JSON.stringify({ messages, model: 'gpt', limit: 12345678901234567890n.toString() }),
      'llm.input_messages': messages,
      'output.value': `{"arguments": ${JSON.stringify(JSON.stringify({ text: 'line\nbreak', id: 7 }))}}`,
    });
    expect(Object.keys(found).filter((text) => text.includes(long))).toEqual([long]);
    expect(found).toHaveProperty(['role: user\ncontent:'], 'input');
    expect(found).toHaveProperty(['arguments:\ntext: line\nbreak\nid: 7'], 'output');
  });

  it('keeps the digits of wide numbers in JSON, and takes what is no JSON as it is', () => {
    expect(textsOf({ 'input.value': '{"id": 12345678901234567890}' })).toEqual({ 'id: 12345678901234567890': 'input' });
    expect(textsOf({ 'input.value': "{'id': 1" })).toEqual({ "{'id': 1": 'input' });
    expect(textsOf({ 'input.value': '['.repeat(100_000) })).toEqual({});
  });

  it('is bounded', () => {
    const { texts } = searchableTexts({
      name: '',
      statusMessage: '',
      events: [],
      entries: [
        ['input.value', JSON.stringify(Array.from({ length: 6000 }, (_, index) => `${index} ${'word '.repeat(60)}`))],
      ],
    });
    expect(texts.size).toBeLessThanOrEqual(4096);
    expect([...texts.keys()].join('').length).toBeLessThanOrEqual(1_000_000);
  });
});
