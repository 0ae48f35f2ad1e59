import { describe, expect, it } from 'vitest';
import { readSaid } from './said.ts';

function said(value: unknown): unknown {
  const read = readSaid(typeof value === 'string' ? value : JSON.stringify(value), 'input');
  if (read.type !== 'messages') return read.type;
  return read.messages.map(({ role, parts }) => [
    role,
    ...parts.map((part) =>
      part.type === 'text' ? part.text : part.type === 'tool_call' ? `→ ${part.call.name}` : part.type,
    ),
  ]);
}

describe('a recorded text', () => {
  it('holds messages in the usual shapes', () => {
    const message = { role: 'user', content: 'hi' };
    const shapes = [
      message,
      [message],
      { messages: [message], model: 'm' },
      { choices: [{ index: 0, message }] },
      [{ message }],
      { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
      { role: 'user', parts: [{ text: 'hi' }] },
    ];
    for (const shape of shapes) expect(said(shape)).toEqual([['user', 'hi']]);
  });

  it('shows calls as calls', () => {
    const call = { id: 'c', type: 'function', function: { name: 'track', arguments: '{"code":1}' } };
    expect(said({ role: 'assistant', content: null, tool_calls: [call] })).toEqual([['assistant', '→ track']]);
  });

  it('is what it is where it holds none, or more than messages', () => {
    expect(said('prose')).toBe('text');
    expect(said({ answer: 42 })).toBe('json');
    expect(said([{ role: 'user', content: 'hi' }, 7])).toBe('json');
    expect(said({ role: 'admin', name: 'Ada' })).toBe('json');
    expect(said([])).toBe('json');
  });
});
