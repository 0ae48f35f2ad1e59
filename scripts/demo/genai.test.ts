import { describe, expect, it } from 'vitest';
import { inForm, toGenAiMessages, toToolDefinitions } from './genai.ts';

describe('toGenAiMessages', () => {
  it('writes calls and their responses as parts with the same id', () => {
    const messages = toGenAiMessages([
      {
        role: 'assistant',
        content: '',
        reasoning: 'Hm.',
        toolCalls: [{ id: 'c1', name: 'look', arguments: { at: 1 } }],
      },
      { role: 'tool', toolCallId: 'c1', name: 'look', content: '{"seen":[1]}' },
    ]);
    expect(messages).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm.' },
          { type: 'tool_call', id: 'c1', name: 'look', arguments: { at: 1 } },
        ],
      },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { seen: [1] } }] },
    ]);
  });

  it('carries a picture as a blob', () => {
    const [message] = toGenAiMessages([{ role: 'user', content: 'Where?', imageUrl: 'data:image/png;base64,AAEC' }]);
    expect(message?.parts[1]).toEqual({ type: 'blob', modality: 'image', mime_type: 'image/png', content: 'AAEC' });
  });
});

describe('inForm', () => {
  const value = toToolDefinitions([{ name: 'look', description: 'Looks.', parameters: { required: ['at'] } }]);

  it('writes JSON text', () => {
    expect(inForm('text', { tools: value, plain: 'text' })).toEqual({ tools: JSON.stringify(value), plain: 'text' });
  });

  it('keeps structure', () => {
    expect(inForm('structured', { tools: value })).toEqual({ tools: value });
  });
});
