import { describe, expect, it } from 'vitest';
import { formatCursor, parseCursor } from './cursor.ts';

describe('cursors', () => {
  it('lead back to the position they were made of', () => {
    expect(parseCursor('Span', formatCursor('Span', { value: null, rowId: 12 }))).toEqual({ value: null, rowId: 12 });
    const byTime = { value: 1_700_000_000_123_456, rowId: 9_007_199_254_740_991 };
    expect(parseCursor('DATETIME', formatCursor('DATETIME', byTime))).toEqual(byTime);
    const byLatency = { value: 1234.567, rowId: 3 };
    expect(parseCursor('FLOAT', formatCursor('FLOAT', byLatency))).toEqual(byLatency);
  });

  it('are by row the typed id of the row, as clients know it', () => {
    expect(formatCursor('Span', { value: null, rowId: 123 })).toBe('U3BhbjoxMjM=');
  });

  it.each([
    ['DATETIME', btoa('1:DATETIME:1.5')],
    ['DATETIME', btoa('1:DATETIME:99999999999999999999')],
    ['FLOAT', btoa('1:FLOAT:9999999999999999')],
    ['FLOAT', btoa('1:FLOAT:1e300')],
  ] as const)('of values that no row has are refused: %s %s', (kind, text) => {
    expect(() => parseCursor(kind, text)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });

  it('stand for the first page when absent', () => {
    expect(parseCursor('Span', null)).toBeNull();
  });

  it.each([
    '',
    'Span:1',
    'U3Bhbg==',
    btoa('Trace:1'),
    btoa('1:DATETIME:5'),
    btoa('Span:-1'),
    btoa('Span:1:2'),
    'é',
    'A'.repeat(500),
  ])('of another order or not of ours are refused: %s', (text) => {
    expect(() => parseCursor('Span', text)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  });
});
