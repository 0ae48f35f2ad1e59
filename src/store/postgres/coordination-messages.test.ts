import { describe, expect, it } from 'vitest';
import { decodeNotice, encodeNotice, type Notice } from './coordination-messages.ts';

const TRACE = 'ab'.repeat(16);
const NOW = Date.now() * 1000;

function touch(projects: number, traces: number): Notice {
  const traceIds = Array.from({ length: traces }, () => TRACE);
  return {
    kind: 'touched',
    touched: Array.from({ length: projects }, (_, at) => ({ projectRowId: 1e6 + at, traceIds, changedAtUs: NOW })),
  };
}

describe('what servers tell each other', () => {
  it.each<Notice>([
    touch(2, 100),
    { kind: 'touched', touched: [{ projectRowId: 1, traceIds: null, changedAtUs: NOW }] },
    { kind: 'erased', deletionRowId: 12 },
    { kind: 'erased', deletionRowId: null },
    { kind: 'wake', job: 'repricing' },
    { kind: 'migrated' },
    { kind: 'anything', changedAtUs: NOW },
  ])('arrives as it was: %j', (notice) => {
    const payload = encodeNotice('a', notice);
    expect(decodeNotice(payload, 'b')).toEqual(notice);
    expect(decodeNotice(payload, 'a')).toBeUndefined();
  });

  it('is coarser the more there is', () => {
    const kinds = [touch(2, 110), touch(3, 100), touch(500, 1), touch(2000, 0)].map((notice) => {
      const payload = encodeNotice('a', notice);
      expect(Buffer.byteLength(payload)).toBeLessThan(8000);
      const heard = decodeNotice(payload, 'b');
      return heard?.kind === 'touched' ? [heard.touched.length, heard.touched[0]?.traceIds?.length] : heard?.kind;
    });
    expect(kinds).toEqual([[2, 110], [3, undefined], [500, undefined], 'anything']);
  });

  it.each([
    '',
    'null',
    '[]',
    '{"s":"a","t":[1]}',
    '{"t":[["1",null]]}',
    '{"t":[[1,[2]]]}',
    '{"w":"toString"}',
    '{"s":',
  ])('may be anything where it cannot be read: %s', (payload) =>
    expect(decodeNotice(payload, 'b')).toEqual({ kind: 'anything', changedAtUs: expect.any(Number) as number }),
  );

  it('is of now where a server of an older version told it', () => {
    const heard = decodeNotice('{"s":"a","t":[[1,null]]}', 'b');
    const changedAtUs = heard?.kind === 'touched' ? (heard.touched[0]?.changedAtUs ?? 0) : 0;
    expect(changedAtUs).toBeGreaterThanOrEqual(NOW);
  });
});
