import { expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { idPattern, timeCursorPattern } from './id-pattern.ts';

const NUMBERS = [1, 7, 9, 10, 12, 99, 100, 123, 999, 1000, 12_345, 987_654, 1_000_000, 123_456_789_012_345];

it.each(['Project', 'Span', 'Trace', 'User', 'ProjectSession'] as const)('matches ids of %s alone', (type) => {
  const pattern = new RegExp(idPattern(type));
  const random = Array.from({ length: 2000 }, () => Math.ceil(Math.random() * 10 ** (1 + Math.random() * 14)));
  for (const rowId of [...NUMBERS, ...random]) expect(formatGlobalId(type, rowId)).toMatch(pattern);
  for (const payload of ['', '0', '012', '-1', 'x', '1x', '1234567890123456789']) {
    expect(formatGlobalId(type, payload)).not.toMatch(pattern);
  }
  expect(formatGlobalId(type === 'Span' ? 'Trace' : 'Span', 12)).not.toMatch(pattern);
  expect('').not.toMatch(pattern);
});

it('has no other texts than ids', () => {
  const pattern = new RegExp(idPattern('Project'));
  const id = formatGlobalId('Project', 4711);
  for (let place = 0; place < id.length; place++) {
    for (const character of 'ABMNOPQgjwxz0159+/=') {
      const text = `${id.slice(0, place)}${character}${id.slice(place + 1)}`;
      const decoded = Buffer.from(text, 'base64').toString('latin1');
      const isId = /^Project:[1-9]\d*$/.test(decoded) && Buffer.from(decoded, 'latin1').toString('base64') === text;
      expect([text, pattern.test(text)]).toEqual([text, isId]);
    }
  }
});

it('matches ids of any of several types', () => {
  const pattern = new RegExp(idPattern(['UserApiKey', 'SystemApiKey']));
  expect(Buffer.from('UserApiKey:3').toString('base64')).toMatch(pattern);
  expect(Buffer.from('SystemApiKey:12').toString('base64')).toMatch(pattern);
  expect(Buffer.from('ApiKey:12').toString('base64')).not.toMatch(pattern);
});

it('matches cursors of times', () => {
  const pattern = new RegExp(timeCursorPattern());
  const cursor = (rowId: number, kind: string, value: number) =>
    Buffer.from(`${String(rowId).padStart(16, '0')}:${kind}:${value}`).toString('base64');
  for (const rowId of NUMBERS) {
    for (const value of [1, -1, 1_700_000_000_000_000, -86_400_000_000, 999_999]) {
      expect(cursor(rowId, 'DATETIME', value)).toMatch(pattern);
    }
  }
  expect(cursor(1, 'FLOAT', 1)).not.toMatch(pattern);
});
