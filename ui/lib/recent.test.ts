import { describe, expect, it } from 'vitest';
import { type RecentItem, recentKey, withVisit } from './recent.ts';

const shop: RecentItem = { kind: 'project', title: 'shop', projectId: 'P1', projectName: 'shop' };

function traceOf(traceId: string, title = 'chat'): RecentItem {
  return { kind: 'trace', title, projectId: 'P1', projectName: 'shop', traceId };
}

describe('what was looked at', () => {
  it('is there once, the latest first and with its latest title', () => {
    const items = [traceOf('a'), shop, traceOf('b')].reduce(withVisit, [] as readonly RecentItem[]);
    expect(items.map(recentKey)).toEqual(['trace P1 b', 'project P1', 'trace P1 a']);
    const again = withVisit(items, traceOf('a', 'answer'));
    expect(again.map(recentKey)).toEqual(['trace P1 a', 'trace P1 b', 'project P1']);
    expect(again[0]?.title).toBe('answer');
  });

  it('does not grow without end', () => {
    const many = Array.from({ length: 100 }, (_, index) => traceOf(String(index)));
    const items = many.reduce(withVisit, [] as readonly RecentItem[]);
    expect(items).toHaveLength(24);
    expect(items[0]).toEqual(traceOf('99'));
  });
});
