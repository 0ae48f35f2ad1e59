import { describe, expect, it } from 'vitest';
import { readSpokenTexts, type SpeakingSpan } from './spoken-texts.ts';

function span(spanKind: string, input: string | null, output: string | null, name = spanKind): SpeakingSpan<string> {
  return { name, spanKind, input, output };
}

describe('what was said in a trace whose root tells nothing', () => {
  it('is what the first call was given and the last one answered', () => {
    const spans = [span('chain', null, null), span('llm', 'question', 'draft'), span('llm', 'draft', 'answer')];
    expect(readSpokenTexts(spans)).toEqual({ input: 'question', output: 'answer', toolResult: null });
  });

  it('is not what a tool was given or gave back, wherever it stands', () => {
    const spans = [span('tool', '6 * 7', '42'), span('llm', 'question', 'answer'), span('tool', '7 * 7', '49')];
    expect(readSpokenTexts(spans)).toEqual({ input: 'question', output: 'answer', toolResult: null });
  });

  it('names the result of the last tool as such where nobody answered', () => {
    const spans = [
      span('agent', null, null),
      span('llm', 'question', null),
      span('tool', '6 * 7', '42', 'multiply'),
      span('retriever', 'query', 'documents'),
    ];
    expect(readSpokenTexts(spans)).toEqual({
      input: 'question',
      output: null,
      toolResult: { toolName: 'multiply', value: '42' },
    });
  });

  it('is what spans without a kind say where no other one can speak', () => {
    const spans = [span('tool', '6 * 7', '42'), span('unknown', 'question', 'answer')];
    expect(readSpokenTexts(spans)).toEqual({ input: 'question', output: 'answer', toolResult: null });
  });

  it('is nothing where nothing was recorded', () => {
    expect(readSpokenTexts([])).toEqual({ input: null, output: null, toolResult: null });
  });
});
