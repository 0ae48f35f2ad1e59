import { describe, expect, it } from 'vitest';
import { attributeAt } from '#domain/attributes';
import { listRecordedSpans } from '../../../../test/support/recorded-spans.ts';
import { readTurnText } from './turn-text.ts';

const QUESTION = 'What is the capital of France?';
const ANSWER = 'The capital of France is Paris.';

/** Whether the value is what was said; else what was read instead. */
function said(value: unknown, side: 'input' | 'output'): unknown {
  const read = readTurnText(typeof value === 'string' ? value : JSON.stringify(value), side);
  return read.type === 'text' ? read.text : read;
}

const SESSIONS = listRecordedSpans().filter(
  ({ file, attributes }) => file.includes('session') && attributeAt(attributes, 'session.id') !== undefined,
);

describe('what was said in a turn', () => {
  it.each([...new Set(SESSIONS.map(({ file }) => file))])('is read from the model calls of %s', (file) => {
    const spans = SESSIONS.filter((span) => span.file === file && span.kind === 'llm');
    const inputs = spans.map(({ attributes }) => said(attributeAt(attributes, 'input.value') ?? '', 'input'));
    const outputs = spans.map(({ attributes }) => said(attributeAt(attributes, 'output.value') ?? '', 'output'));
    const isKnown = (text: unknown) => typeof text === 'string' || text === undefined;
    // Haystack writes its messages as the text of Python objects; smolagents answers by calling a tool.
    if (!/haystack|smolagents/.test(file)) expect([...inputs, ...outputs].every(isKnown)).toBe(true);
    if (inputs.includes(QUESTION)) expect(outputs).toContain(ANSWER);
  });

  it.each<[string, unknown, unknown]>([
    [
      'OpenAI',
      {
        model: 'm',
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: QUESTION },
        ],
      },
      { id: 'x', choices: [{ message: { role: 'assistant', content: ANSWER } }], object: 'c' },
    ],
    [
      'OpenAI responses',
      { model: 'm', input: QUESTION },
      {
        id: 'r',
        output: [
          { type: 'reasoning', summary: [] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: ANSWER }] },
        ],
      },
    ],
    [
      'Anthropic',
      { messages: [{ role: 'user', content: [{ type: 'text', text: QUESTION }] }] },
      { role: 'assistant', content: [{ type: 'text', text: ANSWER }] },
    ],
    [
      'Gemini',
      { contents: [{ role: 'user', parts: [{ text: QUESTION }] }] },
      { candidates: [{ content: { role: 'model', parts: [{ text: ANSWER }] } }] },
    ],
    ['Bedrock', [{ role: 'user', content: [{ text: QUESTION }] }], { role: 'assistant', content: [{ text: ANSWER }] }],
    [
      'LangChain',
      {
        messages: [
          [
            {
              lc: 1,
              type: 'constructor',
              id: ['langchain', 'schema', 'messages', 'HumanMessage'],
              kwargs: { content: QUESTION, type: 'human' },
            },
          ],
        ],
      },
      { generations: [[{ text: ANSWER, message: {} }]] },
    ],
    [
      'LangChain dumps',
      { input: QUESTION, chat_history: [] },
      { type: 'ai', data: { content: ANSWER, additional_kwargs: {} } },
    ],
    [
      'LangGraph',
      {
        messages: [
          { type: 'human', content: 'before' },
          { type: 'ai', content: 'x' },
          { type: 'human', content: QUESTION },
        ],
      },
      {
        messages: [
          { type: 'human', content: QUESTION },
          { type: 'ai', content: ANSWER },
          { type: 'tool', content: 't' },
        ],
      },
    ],
    [
      'GenAI conventions',
      [{ role: 'user', parts: [{ type: 'text', content: QUESTION }] }],
      [{ role: 'assistant', parts: [{ type: 'text', content: ANSWER }] }],
    ],
    ['a wrapper', { data: { prompt: { question: QUESTION } } }, { agent: { answer: ANSWER, sources: [] } }],
    ['plain text', QUESTION, ANSWER],
  ])('is found in the words of %s', (_, input, output) => {
    expect([said(input, 'input'), said(output, 'output')]).toEqual([QUESTION, ANSWER]);
  });

  it('is the JSON itself where no text is what was said', () => {
    expect(said({ a: 1, b: 2 }, 'output')).toMatchObject({ type: 'json', value: { a: 1, b: 2 } });
    expect(said([], 'input')).toMatchObject({ type: 'json' });
    expect(said('{broken', 'input')).toBe('{broken');
  });

  it('is looked for no deeper than people nest', () => {
    expect(said(`${'{"data":'.repeat(500)}"x"${'}'.repeat(500)}`, 'input')).toMatchObject({ type: 'json' });
  });
});
