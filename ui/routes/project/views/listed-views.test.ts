import { describe, expect, it } from 'vitest';
import { listViewGroups } from './listed-views.ts';
import type { ViewItem } from './view-data.ts';

const view = (name: string, more: Partial<ViewItem> = {}): ViewItem => ({
  id: name,
  name,
  table: 'SPANS',
  isShared: false,
  isOwn: true,
  ownerName: 'ada',
  canChange: true,
  isSharedDefault: false,
  isOwnDefault: false,
  ...more,
});
const BOBS = view('errors', { isShared: true, isOwn: false, ownerName: 'bob', canChange: false });

/** Headings and lines, as they are read. */
const read = (views: readonly ViewItem[], text = '', shown?: ViewItem) =>
  listViewGroups(views, { text, shown }).map(({ label, items }) => [
    label,
    ...items.map(({ name, detail, isShown }) => [name, detail, isShown ? 'shown' : ''].filter(Boolean).join(', ')),
  ]);

describe('the menu of views', () => {
  it('lists personal views before shared ones, each by name, and says whose they are', () => {
    expect(read([BOBS, view('slow'), view('Cheap'), view('all', { isShared: true })])).toEqual([
      ['Personal', 'Cheap', 'slow'],
      ['Shared', 'all', 'errors, bob'],
    ]);
  });

  it('says what the table opens with, and offers to leave it', () => {
    const own = view('slow', { isOwnDefault: true });
    expect(read([{ ...BOBS, isSharedDefault: true }, own], '', own)).toEqual([
      ['Table', 'No view'],
      ['Personal', 'slow, your default, shown'],
      ['Shared', 'errors, bob · default'],
    ]);
    expect(read([own])[0]).toEqual(['Table', 'No view, shown']);
    expect(read([view('slow')])).toEqual([['Personal', 'slow']]);
  });

  it('finds views by a part of their names', () => {
    expect(read([BOBS, view('Slow')], ' sLO', BOBS)).toEqual([['Personal', 'Slow']]);
    expect(read([BOBS], 'x')).toEqual([]);
  });

  it('lists a hundred at most', () => {
    expect(read(Array.from({ length: 120 }, (_, index) => view(`${index}`)))[0]).toHaveLength(101);
  });
});
