import { describe, expect, it } from 'vitest';
import { type Findable, findItems, readIds } from './palette-items.ts';

const ITEMS: readonly Findable[] = [
  { id: 'theme', group: 'Actions', label: 'Use the dark theme', keywords: 'switch appearance' },
  { id: 'docs', group: 'Pages', label: 'API reference', keywords: 'rest openapi' },
  { id: 'projects', group: 'Pages', label: 'Projects' },
  { id: 'project P1', group: 'Projects', label: 'dark-mode-shop' },
  { id: 'project P2', group: 'Projects', label: 'embark' },
  { id: 'project P1', group: 'Recent', label: 'dark-mode-shop' },
  ...Array.from(
    { length: 9 },
    (_, index): Findable => ({ id: `trace ${index}`, group: 'Recent', label: `answer ${index}` }),
  ),
  { id: 'trace x', group: 'Jump to', label: 'chat' },
];

function idsFor(text: string): readonly string[] {
  return findItems(ITEMS, text).map(({ id }) => id);
}

describe('the palette', () => {
  it('begins with the latest before anything is typed, and says nothing twice', () => {
    const ids = idsFor('');
    expect(ids.slice(0, 4)).toEqual(['trace x', 'project P1', 'trace 0', 'trace 1']);
    expect(ids.filter((id) => id.startsWith('trace '))).toHaveLength(6);
    expect(ids.filter((id) => id === 'project P1')).toHaveLength(1);
    expect(ids.slice(-3)).toEqual(['docs', 'projects', 'theme']);
  });

  it('finds by a part of the name or by what else it is called', () => {
    expect(idsFor('openapi')).toContain('docs');
    expect(idsFor('ark')).toEqual(['trace x', 'project P1', 'project P2', 'theme']);
    expect(idsFor('answer 8')).toEqual(['trace x', 'trace 8']);
  });

  it('wants every word somewhere', () => {
    expect(idsFor('dark theme')).toEqual(['trace x', 'theme']);
    expect(idsFor('switch dark')).toEqual(['trace x', 'theme']);
    expect(idsFor('dark nothing')).toEqual(['trace x']);
  });

  it('puts what begins so before what has it inside', () => {
    const items: readonly Findable[] = ['unshop', 'my shop', 'shop'].map((label) => ({
      id: label,
      group: 'Projects',
      label,
    }));
    expect(findItems(items, 'shop').map(({ label }) => label)).toEqual(['shop', 'my shop', 'unshop']);
  });

  it('keeps what the server found by an id, whatever it is called', () => {
    expect(idsFor('0af7651916cd43dd8448eb211c80319c')).toEqual(['trace x']);
  });
});

describe('a pasted id', () => {
  it('of a trace is 32 hexadecimal figures, also as a UUID', () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    for (const text of [traceId, ` ${traceId.toUpperCase()}\n`, '0af76519-16cd-43dd-8448-eb211c80319c']) {
      expect(readIds(text)).toMatchObject({ traceId, spanId: undefined });
    }
  });

  it('of a span is 16 of them', () => {
    expect(readIds('b7ad6b7169203331')).toMatchObject({ traceId: undefined, spanId: 'b7ad6b7169203331' });
    expect(readIds('b7ad6b716920333')).toMatchObject({ traceId: undefined, spanId: undefined });
  });

  it('of a session is any text that is long enough', () => {
    expect(readIds(' chat/42 ').sessionId).toBe('chat/42');
    expect([readIds('ab').sessionId, readIds('x'.repeat(1001)).sessionId]).toEqual([undefined, undefined]);
  });

  it('may be its beginning, as tables show it', () => {
    expect(readIds('B7AD6B71')).toMatchObject({ prefix: 'b7ad6b71', sessionPrefix: 'B7AD6B71' });
    expect(readIds('b7a').prefix).toBeUndefined();
    expect(readIds('chat-48fb').sessionPrefix).toBe('chat-48fb');
    expect(readIds('support chat')).toMatchObject({ prefix: undefined, sessionPrefix: undefined });
    expect(readIds('metrics').sessionPrefix).toBeUndefined();
  });
});
