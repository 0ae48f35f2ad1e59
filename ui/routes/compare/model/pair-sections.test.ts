import { describe, expect, it } from 'vitest';
import { type JsonObject, parseJson } from '#base/json';
import { describeEqual, pairUnits, toUnits } from './content-units.ts';
import { type ComparedSpan, readPairSections } from './pair-sections.ts';

const compared = (attributes: unknown, statusMessage = ''): ComparedSpan => ({
  kind: 'llm',
  attributes: parseJson(JSON.stringify(attributes)) as JsonObject,
  statusMessage,
});

const message = (role: string, content: string) => ({ message: { role, content } });

describe('two spans side by side', () => {
  it('show each message beside its partner, and settings by name', () => {
    const call = (question: string, answer: string, temperature: number, model: string) => ({
      llm: {
        model_name: model,
        invocation_parameters: JSON.stringify({ model, temperature, stop: ['x'] }),
        input_messages: [message('system', 'Be brief.'), message('user', question)],
        output_messages: [message('assistant', answer)],
      },
      metadata: { run: 'same' },
      session: { id: model },
    });
    const { sections, settings, others } = readPairSections(
      compared(call('Hello', 'Hi', 0.2, 'small')),
      compared(call('Hello', 'Good day', 0.7, 'large'), 'Too long'),
    );
    expect(sections).toEqual([
      { id: 'error', title: 'Error', pairs: [{ label: '', left: null, right: 'Too long' }], isEqual: false },
      { id: 'output', title: 'Output', pairs: [{ label: 'Assistant', left: 'Hi', right: 'Good day' }], isEqual: false },
      { id: 'input', title: 'Input', pairs: [{ label: 'User', left: 'Hello', right: 'Hello' }], isEqual: true },
      {
        id: 'prompt',
        title: 'Prompt',
        pairs: [{ label: 'System', left: 'Be brief.', right: 'Be brief.' }],
        isEqual: true,
      },
    ]);
    expect(settings).toEqual([
      { label: 'Model', left: 'small', right: 'large' },
      { label: 'temperature', left: '0.2', right: '0.7' },
      { label: 'stop', left: '["x"]', right: '["x"]' },
    ]);
    expect(others).toEqual([{ label: 'metadata.run', left: 'same', right: 'same' }]);
  });

  it('that hold nothing have no sections', () => {
    expect(readPairSections(compared({}), compared({}))).toEqual({ sections: [], settings: [], others: [] });
  });
});

describe('units', () => {
  it('are messages, documents, tools, or the whole', () => {
    const units = (value: unknown) => toUnits(parseJson(JSON.stringify(value)));
    expect(units('plain')).toEqual([{ label: '', text: 'plain' }]);
    expect(units(null)).toEqual([]);
    expect(units([1, 2])).toEqual([{ label: '', text: '[1, 2]' }]);
    expect(units({ code: 'a\nb' })).toEqual([{ label: '', text: '{\n  "code": \n    a\n    b\n}' }]);
    expect(units([{ document: { content: 'text', score: 0.5 } }])).toEqual([
      { label: 'Document 1', text: 'text\nscore: 0.5' },
    ]);
    const called = {
      role: 'assistant',
      tool_calls: [{ tool_call: { id: 'x', function: { name: 'f', arguments: '{"a":1}' } } }],
    };
    expect(units([{ message: called }])).toEqual([{ label: 'Assistant', text: '→ f\n{ "a": 1 }' }]);
    const tool = { tool: { json_schema: '{"function":{"name":"find"}}' } };
    expect(units([tool])[0]).toMatchObject({ label: 'find' });
    expect(units([{ function: { name: 'find' } }])[0]).toMatchObject({ label: 'find' });
    expect(units(['Which?', [{ document: { content: 'a' } }]]).map(({ label }) => label)).toEqual(['', 'Document 1']);
  });

  it('belong together where they are equal, else by name and order', () => {
    const unit = (line: string) => ({ label: line.split(':')[0] ?? '', text: line.split(':')[1] ?? '' });
    const pairs = pairUnits(['User:a', 'Tool:x', 'User:b'].map(unit), ['User:new', 'User:a', 'User:c'].map(unit));
    expect(pairs).toEqual([
      { label: 'User', left: null, right: 'new' },
      { label: 'User', left: 'a', right: 'a' },
      { label: 'Tool', left: 'x', right: null },
      { label: 'User', left: 'b', right: 'c' },
    ]);
    expect(describeEqual(pairs.slice(1, 2))).toBe('1 equal message');
  });
});
