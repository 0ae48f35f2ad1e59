import { describe, expect, it } from 'vitest';
import { forwardPage, offsetWindow, toConnection, toOffsetConnection } from './connection.ts';

describe('a list that is read forward', () => {
  it('takes how many and after which', () => {
    expect(forwardPage({ first: 10, after: 'x' })).toEqual({ limit: 10, cursor: 'x' });
    expect(forwardPage({ first: 1000 })).toEqual({ limit: 1000, cursor: null });
  });

  it.each([{ first: 0 }, { first: -1 }, { first: 1001 }, {}, { first: 1, last: 1 }, { first: 1, before: 'x' }])(
    'refuses %j',
    (page) => {
      expect(() => forwardPage(page)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    },
  );

  it('has the cursors of its ends, and says whether it goes on in either direction', () => {
    const edges = ['a', 'b'].map((node) => ({ node, cursor: `at ${node}` }));
    expect(toConnection(edges, { after: 'x', hasNextPage: true })).toEqual({
      edges,
      pageInfo: { hasNextPage: true, hasPreviousPage: true, startCursor: 'at a', endCursor: 'at b' },
    });
    expect(toConnection([], { after: null, hasNextPage: false }).pageInfo).toEqual({
      hasNextPage: false,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: null,
    });
  });
});

describe('a list that is counted', () => {
  const LIST = ['a', 'b', 'c', 'd', 'e'];

  /** The page of the list that the arguments ask for. */
  function page(wanted: Parameters<typeof offsetWindow>[0]) {
    const window = offsetWindow(wanted, LIST.length);
    return toOffsetConnection(LIST.slice(window.offset, window.offset + window.limit), window, LIST.length);
  }
  const nodes = (wanted: Parameters<typeof offsetWindow>[0]) =>
    page(wanted)
      .edges.map(({ node }) => node)
      .join('');
  const cursorOf = (node: string) => page({}).edges.find((edge) => edge.node === node)?.cursor ?? '';

  it('is read from either end', () => {
    const [b, d] = [cursorOf('b'), cursorOf('d')];
    expect([nodes({}), nodes({ first: 2 }), nodes({ last: 2 })]).toEqual(['abcde', 'ab', 'de']);
    expect([nodes({ first: 2, after: b }), nodes({ last: 2, before: d })]).toEqual(['cd', 'bc']);
    expect([nodes({ after: b, before: d }), nodes({ after: d, before: b })]).toEqual(['c', '']);
  });

  it('has cursors as Relay knows them, and says what lies before and after', () => {
    expect(atob(cursorOf('c'))).toBe('connection:2');
    expect(page({ first: 2 }).pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(page({ last: 2 }).pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it.each(['x', '', btoa('connection:-1'), btoa('Project:1'), 'a'.repeat(1000)])('refuses the cursor %j', (after) => {
    expect(() => offsetWindow({ after }, 5)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('is bounded also where nobody says how much', () => {
    expect(offsetWindow({}, 5000)).toEqual({ offset: 0, limit: 1000 });
    expect(() => offsetWindow({ last: 0 }, 5)).toThrow('between 1 and 1000');
  });
});
