import { describe, expect, it } from 'vitest';
import { findBase64Runs, MAX_PRINTED_BASE64, withoutBase64 } from './base64-runs.ts';

const LONG = Buffer.alloc(90_000, 'some bytes').toString('base64');
const mark = ({ mimeType, bytes }: { mimeType: string | undefined; bytes: number }) => `<${mimeType ?? ''} ${bytes}>`;

describe('long base64 in a text', () => {
  it('is replaced together with the data address in front of it', () => {
    expect(withoutBase64(`see data:image/png;base64,${LONG} here`, mark)).toBe('see <image/png 90000> here');
    expect(withoutBase64(`{"audio":"${LONG}"}`, mark)).toBe('{"audio":"< 90000>"}');
  });

  it('is found wherever it stands, and as often', () => {
    const text = `${'word '.repeat(33_333)}${LONG} and ${LONG}!`;
    expect(findBase64Runs(text).map(({ start, end }) => end - start)).toEqual([LONG.length, LONG.length]);
  });

  it('is found where it is broken over lines', () => {
    const lines = LONG.replace(/.{76}/g, '$&\n');
    expect(withoutBase64(`begin: ${lines} end`, mark)).toBe('begin: < 90000> end');
    expect(withoutBase64(JSON.stringify({ a: lines }), ({ start }) => `<${start}>`)).toBe('{"a":"<6>"}');
  });

  it('is not what is shorter, nor any other long text', () => {
    for (const text of ['A'.repeat(MAX_PRINTED_BASE64 - 1), 'plain words '.repeat(20_000), 'word\n'.repeat(50_000)]) {
      expect(withoutBase64(text, mark)).toBe(text);
    }
  });
});
