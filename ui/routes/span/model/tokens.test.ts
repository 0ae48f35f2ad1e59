import { describe, expect, it } from 'vitest';
import { listRecordedSpans } from '../../../../test/support/recorded-spans.ts';
import { readTokens } from './tokens.ts';

describe('the tokens of a span', () => {
  it('have their parts named by side', () => {
    const span = listRecordedSpans().find(({ file }) => file === 'openinference-js-openai/01-chat.binpb');
    expect(readTokens(span?.attributes ?? {})).toEqual({
      prompt: 137,
      completion: 29,
      total: 166,
      details: [
        { label: 'Cache read', side: 'prompt', count: 64 },
        { label: 'Reasoning', side: 'completion', count: 11 },
      ],
    });
  });

  it('add up where no total was sent, and are absent where nothing was', () => {
    expect(readTokens({ llm: { token_count: { prompt: '3' } } })).toMatchObject({
      prompt: 3,
      completion: undefined,
      total: 3,
    });
    expect(readTokens({ llm: { token_count: { prompt: {} } } })).toBeUndefined();
  });
});
