import { describe, expect, it } from 'vitest';
import type { AnyValue } from '#otlp/messages';
import { otlpEvent, otlpMap, otlpResource, otlpScope, otlpSpan } from '../../../test/support/otlp-span.ts';
import { explainSpan } from './explain-span.ts';
import type { OutputReading, SourceReading, SpanReading } from './span-reading.ts';

const CHAT = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.model': 'gpt-4o-2024-08-06',
  'gen_ai.request.temperature': 0.25,
  'gen_ai.usage.input_tokens': 12n,
  'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Capital of France?"}]}]',
  'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Paris."}]}]',
};

describe('a span of the GenAI conventions', () => {
  it('says who speaks in it, and on what evidence', () => {
    const { dialects, kind, isComplete } = explain(CHAT);
    expect(kind).toBe('LLM');
    expect(isComplete).toBe(true);
    expect(dialects.map(({ name, evidence }) => [name, evidence])).toEqual([
      ['gen-ai', expect.stringMatching(/^attribute gen_ai\./)],
      ['openinference', null],
    ]);
  });

  it('leads from each attribute to where it went', () => {
    const reading = explain(CHAT);
    expect(source(reading, 'gen_ai.input.messages').to.toSorted()).toEqual(
      ['input.mime_type', 'input.value', 'llm.input_messages'].toSorted(),
    );
    expect(source(reading, 'gen_ai.output.messages').to).toContain('llm.output_messages');
    expect(source(reading, 'gen_ai.request.temperature').to).toEqual(['llm.invocation_parameters']);
    expect(source(reading, 'gen_ai.usage.input_tokens').to).toEqual(['llm.token_count.prompt']);
    expect(source(reading, 'gen_ai.response.model').to.toSorted()).toEqual([
      'llm.model_name',
      'llm.response.model_name',
    ]);
    expect(source(reading, 'gen_ai.request.model').to).toContain('llm.request.model_name');
    expect(source(reading, 'gen_ai.request.model').to).not.toContain('llm.model_name');
  });

  it('leads back from what is shown to what was sent', () => {
    const reading = explain(CHAT);
    expect(output(reading, 'llm.output_messages')).toEqual({
      key: 'llm.output_messages',
      by: ['gen-ai'],
      from: ['gen_ai.output.messages'],
      dependsOn: [],
    });
    expect(output(reading, 'llm.model_name').from).toEqual(['gen_ai.response.model']);
  });

  it('names all that say the same, where none is needed', () => {
    // The kind follows from the operation, and would from the model, too.
    expect(output(explain(CHAT), 'openinference.span.kind').from).toEqual(
      expect.arrayContaining(['gen_ai.operation.name', 'gen_ai.request.model']),
    );
  });

  it('tells raw attributes from those that were not needed', () => {
    const reading = explain({ ...CHAT, 'llm.model_name': 'mine', 'acme.step': 7n });
    expect(source(reading, 'acme.step')).toMatchObject({ fate: 'raw', to: [] });
    expect(source(reading, 'llm.model_name')).toMatchObject({ fate: 'openinference', to: [] });
    expect(source(reading, 'gen_ai.response.model').to).toEqual(['llm.response.model_name']);
    const redundant = explain({ ...CHAT, 'llm.token_count.prompt': 12n });
    expect(source(redundant, 'gen_ai.usage.input_tokens')).toMatchObject({ fate: 'unused', to: [] });
  });

  it('does not take what tells the kind for the source of everything', () => {
    const reading = explain({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'weather',
      'gen_ai.tool.call.result': 'sunny',
    });
    expect(output(reading, 'output.value').from).toEqual(['gen_ai.tool.call.result']);
    expect(output(reading, 'tool.name').from).toEqual(['gen_ai.tool.name']);
    expect(source(reading, 'gen_ai.operation.name').to).toEqual(['openinference.span.kind']);
  });
});

describe('content in other places', () => {
  it('is traced to the fields of span events', () => {
    const events = [otlpEvent('gen_ai.user.message', { content: 'Hi' }), otlpEvent('unknown', { a: 1n })];
    const reading = explainSpan(otlpSpan({ events }), otlpScope(), otlpResource());
    expect(reading.dialects[0]).toMatchObject({ name: 'gen-ai-events', evidence: 'event gen_ai.user.message' });
    expect(source(reading, 'event gen_ai.user.message: content').to).toContain('llm.input_messages');
    expect(source(reading, 'event unknown: a')).toMatchObject({ fate: 'raw', to: [] });
  });

  it('is one source where it is an indexed list', () => {
    const reading = explain({
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.content': 'Hi',
      'llm.input_messages.1.message.role': 'assistant',
    });
    expect(reading.sources[0]).toEqual({
      label: 'llm.input_messages.*',
      count: 3,
      fate: 'openinference',
      to: [],
      fault: null,
    });
  });

  it('is found inside structured values', () => {
    const messages = [otlpMap({ role: 'user', parts: [otlpMap({ type: 'text', content: 'Hi' })] })];
    const reading = explain({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': messages });
    expect(output(reading, 'llm.input_messages').from).toEqual(['gen_ai.input.messages']);
  });
});

describe('what is read anew under its own name', () => {
  it('leads to itself', () => {
    const reading = explain({ metadata: '{"tier":"gold"}', 'llm.token_count.prompt': '12' });
    expect(source(reading, 'metadata')).toMatchObject({ fate: 'translated', to: ['metadata'] });
    expect(output(reading, 'llm.token_count.prompt')).toMatchObject({ by: ['openinference'] });
  });

  it('is told where it says nothing', () => {
    expect(source(explain({ metadata: 'null' }), 'metadata')).toMatchObject({ fate: 'empty', to: [] });
  });
});

describe('what cannot be read', () => {
  it.each(['{"a": 1', '[{"role": "user"', '["a", }'])('is marked: %s', (value) => {
    const reading = explain({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': value });
    expect(source(reading, 'gen_ai.input.messages').fault).toMatch(/starts like JSON/);
  });

  it.each(['{curly} words', '[see below] hm', '{"a": 1}', '[]', 'plain', ''])(
    'is not what reads as it is: %s',
    (value) => {
      expect(source(explain({ 'input.value': value }), 'input.value').fault).toBeNull();
    },
  );
});

describe('a span of very many attributes', () => {
  it('is explained in bounded time, and says that it is explained in part', () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, place) => [`gen_ai.x${place}`, `${place}`]),
    );
    const before = process.threadCpuUsage();
    const reading = explain({ ...CHAT, ...attributes });
    expect(processorMs(before)).toBeLessThan(5000);
    expect(reading.isComplete).toBe(false);
    expect(output(reading, 'llm.output_messages').from).toEqual(['gen_ai.output.messages']);
  });
});

describe('a span of many large log records', () => {
  it('is explained in bounded time, and says that it is explained in part', () => {
    const content = JSON.stringify({ content: 'word '.repeat(4600), role: 'user' });
    const records = Array.from({ length: 500 }, (_, place) => ({
      name: place % 2 === 0 ? 'gen_ai.user.message' : `acme.${place}`,
      timeUnixNano: BigInt(place),
      attributes: { 'gen_ai.system': 'openai', [`acme.${place}.x`]: 'y' },
      body: content,
    }));
    const before = process.threadCpuUsage();
    const reading = explainSpan(otlpSpan({ attributes: CHAT }), otlpScope(), otlpResource(), records);
    expect(processorMs(before)).toBeLessThan(2000);
    expect(reading.isComplete).toBe(false);
    expect(reading.sources.some(({ label }) => label === 'log record gen_ai.user.message: body')).toBe(true);
  });
});

function explain(attributes: Readonly<Record<string, AnyValue>>): SpanReading {
  return explainSpan(otlpSpan({ attributes }), otlpScope(), otlpResource());
}

function source({ sources }: SpanReading, label: string): SourceReading {
  const found = sources.find((candidate) => candidate.label === label);
  if (found === undefined) throw new Error(`no source ${label} among ${sources.map((one) => one.label).join(', ')}`);
  return found;
}

function output({ outputs }: SpanReading, key: string): OutputReading {
  const found = outputs.find((candidate) => candidate.key === key);
  if (found === undefined) throw new Error(`no output ${key} among ${outputs.map((one) => one.key).join(', ')}`);
  return found;
}

/** What this thread has computed since, whatever else the machine did meanwhile. */
function processorMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
