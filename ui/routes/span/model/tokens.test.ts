import { describe, expect, it } from 'vitest';
import { listRecordedSpans } from '../../../../test/support/recorded-spans.ts';
import { readTokens, type SpanTokens } from './tokens.ts';

const SPAN: SpanTokens = {
  tokenCountPrompt: 137,
  tokenCountCompletion: 29,
  tokenCountTotal: 166,
  tokenRemarks: [],
  tokenCounting: { reason: 'counted', countedInCount: 0, countedIn: [], surplus: 0 },
};

describe('the tokens of a span', () => {
  it('have their parts named by side', () => {
    const span = listRecordedSpans().find(({ file }) => file === 'openinference-js-openai/01-chat.binpb');
    expect(readTokens(span?.attributes ?? {}, SPAN)).toEqual({
      prompt: 137,
      completion: 29,
      total: 166,
      details: [
        { label: 'Cache read', side: 'prompt', count: 64 },
        { label: 'Reasoning', side: 'completion', count: 11 },
      ],
      notes: [],
    });
  });

  it('are absent where nothing was claimed', () => {
    expect(readTokens({}, { ...SPAN, tokenCountTotal: null })).toBeUndefined();
  });

  it.each([
    [{ reason: 'calls_below', names: ['doGenerate'] }, 'Counted in doGenerate below, so not here.'],
    [{ reason: 'calls_below', names: ['a', 'b'] }, 'Counted in 2 model calls below, so not here.'],
    [{ reason: 'same_call', names: ['messages.create'] }, 'Counted in messages.create, which describes the same call.'],
    [{ reason: 'other_kind', names: ['chat'] }, 'Counted in chat: only model calls count.'],
    [{ reason: 'other_kind', names: [] }, 'Not counted in totals: only model calls count.'],
  ])('say where they count: %o', ({ reason, names }, text) => {
    const countedIn = names.map((name) => ({ name }));
    const tokenCounting = { reason, countedIn, countedInCount: names.length, surplus: 0 };
    expect(readTokens({}, { ...SPAN, tokenCounting })?.notes).toEqual([{ tone: 'info', text }]);
  });

  it('are marked where they contradict each other, or the calls below', () => {
    const tokenCounting = { reason: 'calls_below', countedIn: [{ name: 'chat' }], countedInCount: 1, surplus: 12 };
    const tokenRemarks = [
      { kind: 'total_differs', message: 'The total is 9.' },
      { kind: 'parts_left_out', message: 'Cached ones were left out.' },
    ];
    expect(readTokens({}, { ...SPAN, tokenCounting, tokenRemarks })?.notes).toEqual([
      { tone: 'info', text: 'Counted in chat below, so not here.' },
      { tone: 'warning', text: 'It reports 12 more tokens, which are not counted anywhere.' },
      { tone: 'warning', text: 'The total is 9.' },
      { tone: 'info', text: 'Cached ones were left out.' },
    ]);
  });
});
