import { describe, expect, it } from 'vitest';
import { readListSearch, readPeekSearch, readProjectSearch } from './project-search.ts';

describe('the search part of an address', () => {
  it('is read by the page that owns it', () => {
    const search = {
      range: '7d',
      sort: 'start:desc',
      spans: 'roots',
      view: 'full',
      selectedSpanNodeId: 'U3Bhbjox',
      selectedTraceId: 'a1',
    };
    expect(readProjectSearch(search)).toMatchObject({ range: '7d' });
    expect(readListSearch(search)).toEqual({ sort: 'start:desc', spans: 'roots' });
    expect(readPeekSearch(search)).toEqual({ view: 'full', selectedSpanNodeId: 'U3Bhbjox', selectedTraceId: 'a1' });
  });

  it('leaves out what is no text, too long, or unknown', () => {
    const search = { range: 7, start: ['x'], end: {}, sort: 'x'.repeat(201), spans: 'some', view: 'wide' };
    expect(Object.values(readProjectSearch(search)).filter(Boolean)).toEqual([]);
    expect(Object.values(readListSearch(search)).filter(Boolean)).toEqual([]);
    expect(Object.values(readPeekSearch(search)).filter(Boolean)).toEqual([]);
  });
});
