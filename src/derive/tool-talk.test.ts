import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import { attributeAt } from '#domain/attributes';
import { listRecordedSpans } from '../../test/support/recorded-spans.ts';
import { describeCalls, describeResult } from './tool-talk.ts';

type Call = readonly [name: string, given: JsonValue, id?: string];

/** The same messages in the three forms in which attributes hold them. */
function formsOf(key: string, messages: readonly Record<string, JsonValue>[], calls: readonly Call[] = []) {
  const last = messages.length - 1;
  const list = messages.map((message, at) => ({
    message:
      at !== last || calls.length === 0
        ? message
        : {
            ...message,
            tool_calls: calls.map(([name, given, id = name]) => ({
              tool_call: { id, function: { name, arguments: given } },
            })),
          },
  })) as unknown as JsonValue[];
  const flat: [string, JsonValue][] = messages.flatMap((message, at) =>
    Object.entries(message).map(([name, value]): [string, JsonValue] => [`${key}.${at}.message.${name}`, value]),
  );
  for (const [at, [name, given, id = name]] of calls.entries()) {
    const path = `${key}.${last}.message.tool_calls.${at}.tool_call`;
    flat.push([`${path}.id`, id], [`${path}.function.name`, name], [`${path}.function.arguments`, given]);
  }
  const [root = '', name = ''] = key.split('.');
  return { flat, list: [[key, list] as const], tree: [[root, { [name]: list }] as const] };
}

const answers = (message: Record<string, JsonValue>, calls: readonly Call[]) =>
  Object.values(formsOf('llm.output_messages', [message], calls)).map(describeCalls);

describe('the calls of an answer', () => {
  it('read as calls, in each form of the attributes', () => {
    expect(answers({ role: 'assistant' }, [['track_parcel', '{"id":"4711","fast":true}']])).toEqual(
      Array(3).fill('→ track_parcel(id: "4711", fast: true)'),
    );
    expect(answers({ role: 'assistant' }, [['search', { limit: 3 }]])).toEqual(Array(3).fill('→ search(limit: 3)'));
  });

  it('are the first and the number of others, also beside words', () => {
    const calls: Call[] = [
      ['a', '{"x":1}'],
      ['b', '{}'],
      ['c', '{}'],
    ];
    expect(answers({ role: 'assistant', content: 'Let me see.' }, calls)).toEqual(Array(3).fill('→ a(x: 1) +2'));
  });

  it('end visibly within what a list shows, however long their arguments are', () => {
    const [text = ''] = answers({}, [
      ['write_file', JSON.stringify({ text: '😀\n'.repeat(500) })],
      ['b', ''],
    ]);
    expect([...text]).toHaveLength(100);
    expect(text).toMatch(/^→ write_file\(text: "😀.*…\) \+1$/u);
    const [name = ''] = answers({}, [['n'.repeat(300), '']]);
    expect(name).toBe(`→ ${'n'.repeat(47)}…()`);
    const [huge = ''] = answers({}, [['a', `{"text":"${'x'.repeat(50_000)}"}`]]);
    expect(huge).toMatch(/^→ a\(\{"text":"x+…\)$/);
  });

  it('are those of the message with the highest index, however many digits it has', () => {
    const called = (index: string, name: string): [string, JsonValue] => [
      `llm.output_messages.${index}.message.tool_calls.0.tool_call.function.name`,
      name,
    ];
    const messages = [called('1732848373000001', 'late'), called('1732848373000000', 'early'), called('9', 'first')];
    expect(describeCalls(messages)).toBe('→ late()');
    expect(describeCalls(messages.toReversed())).toBe('→ late()');
  });

  it('show arguments that are no JSON, and numbers with all of their digits', () => {
    expect(answers({}, [['run', 'print(1)\nprint(2)']])[0]).toBe('→ run(print(1) print(2))');
    expect(answers({}, [['pay', '{"amount":1.0,"id":12345678901234567890}']])[0]).toBe(
      '→ pay(amount: 1.0, id: 12345678901234567890)',
    );
  });

  it('are read from the fields of older messages, too', () => {
    const message = { function_call_name: 'old', function_call_arguments_json: '{"a":[1]}' };
    expect(answers(message, [])).toEqual(Array(3).fill('→ old(a: [1])'));
  });

  it('are those of the last message alone', () => {
    const [flat, list, tree] = Object.values(
      formsOf('llm.output_messages', [
        { role: 'assistant', content: 'a' },
        { role: 'assistant', content: 'Done.' },
      ]),
    );
    for (const entries of [flat, list, tree]) expect(describeCalls(entries ?? [])).toBeUndefined();
    expect(
      describeCalls([
        ['llm.output_messages', 'text'],
        ['llm', 3],
        ['llm.output_messages.x.message.role', 'a'],
      ]),
    ).toBeUndefined();
  });
});

describe('the result of a tool', () => {
  const asked = (messages: readonly Record<string, JsonValue>[]) =>
    Object.values(formsOf('llm.input_messages', messages)).map(describeResult);

  it('is shown with the name that its message has, or that the call of its id had', () => {
    const result = { role: 'tool', content: '{"state":\n "delivered"}', name: 'track' };
    expect(asked([{ role: 'user', content: 'Where?' }, result])).toEqual(
      Array(3).fill('← track: {"state": "delivered"}'),
    );
    const called = formsOf('llm.input_messages', [{ role: 'assistant' }], [['find', '{}', 'c7']]);
    const flat = [
      ...called.flat,
      ['llm.input_messages.1.message.role', 'user'] as const,
      ['llm.input_messages.1.message.tool_call_id', 'c7'] as const,
      ['llm.input_messages.1.message.contents.0.message_content.text', 'Found it.'] as const,
    ];
    expect(describeResult(flat)).toBe('← find: Found it.');
  });

  it('has no name where nothing tells it', () => {
    expect(asked([{ role: 'tool', content: 'ok', tool_call_id: 'unknown' }])).toEqual(Array(3).fill('← ok'));
  });

  it('is none where somebody else spoke last, or the tool said nothing', () => {
    expect(
      asked([
        { role: 'tool', content: 'x' },
        { role: 'user', content: 'Thanks' },
      ]),
    ).toEqual(Array(3).fill(undefined));
    expect(asked([{ role: 'tool', content: ' ' }])).toEqual(Array(3).fill(undefined));
    expect(describeResult([])).toBeUndefined();
  });
});

describe('recorded answers that call tools', () => {
  it('read as calls in every dialect', () => {
    const unread: string[] = [];
    const folders = new Set<string>();
    for (const { file, kind, attributes } of listRecordedSpans()) {
      const messages = attributeAt(attributes, 'llm.output_messages');
      const last = Array.isArray(messages) ? messages.at(-1) : undefined;
      if (kind !== 'llm' || !JSON.stringify(last ?? null).includes('"tool_call"')) continue;
      folders.add(dirname(file));
      const text = describeCalls(Object.entries(attributes)) ?? '';
      if (!/^→ \w+\(.*\)(?: \+\d)?$/.test(text)) unread.push(`${file}: ${text}`);
    }
    expect(unread).toEqual([]);
    expect(folders.size).toBeGreaterThan(25);
  });
});
