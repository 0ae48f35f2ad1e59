import { describe, expect, it } from 'vitest';
import { flatAttributes, messagesOf, readSpan } from '../../../test/support/dialect-span.ts';

const SCOPE = 'openai.agents';

describe('OpenAI Agents by other exporters', () => {
  it.each([
    ['agent', 'AGENT'],
    ['function', 'TOOL'],
    ['generation', 'LLM'],
    ['response', 'LLM'],
    ['guardrail', 'GUARDRAIL'],
    ['handoff', 'CHAIN'],
    ['custom', 'CHAIN'],
    ['speech', 'UNKNOWN'],
  ])('a span named %s is %s', (name, kind) => {
    expect(readSpan({ name, scope: SCOPE }).kind).toBe(kind);
    expect(readSpan({ name }).kind).toBe('UNKNOWN');
  });

  it('runs a function', () => {
    const span = readSpan({
      name: 'function',
      scope: SCOPE,
      attributes: { name: 'get_weather', input: '{"city":"Paris"}', output: 'sunny' },
    });
    expect(span).toMatchObject({ input: { value: '{"city":"Paris"}' }, output: { value: 'sunny' } });
    expect(flatAttributes(span)['tool.name']).toBe('get_weather');
  });

  it('asks a model', () => {
    const span = readSpan({
      name: 'generation',
      scope: SCOPE,
      attributes: {
        model: 'gpt-4.1-mini',
        input: '[{"role":"user","content":"Hi"}]',
        output: '[{"role":"assistant","content":"Hello."}]',
        usage: '{"input_tokens": 5, "output_tokens": 2}',
      },
    });
    expect(span).toMatchObject({ modelName: 'gpt-4.1-mini', tokenCounts: { prompt: 5, completion: 2 } });
    expect(messagesOf(span, 'input')).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(messagesOf(span, 'output')).toEqual([{ role: 'assistant', content: 'Hello.' }]);
  });

  it('hands over to another agent', () => {
    const attributes = { 'gen_ai.handoff.from_agent': 'triage', 'gen_ai.handoff.to_agent': 'weather' };
    expect(readSpan({ name: 'triage → weather.handoff', attributes }).kind).toBe('CHAIN');
  });
});
