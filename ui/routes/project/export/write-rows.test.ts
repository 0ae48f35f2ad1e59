import { expect, it } from 'vitest';
import { writeHead, writeRow } from './write-rows.ts';

const row = { name: 'a "b",\nc', formula: '=HYPERLINK("x")', ms: -1.5, none: null };

it('leaves numbers that are texts alone', () => {
  expect(writeRow('csv', ['a', 'b', 'c'], { a: '-1.5e-7', b: '-9007199254740993', c: '-1+1' })).toBe(
    "-1.5e-7,-9007199254740993,'-1+1\r\n",
  );
});

it('quotes what a comma-separated file takes for its own, and defuses formulas', () => {
  expect(writeHead('csv', ['name', 'ms'])).toBe('name,ms\r\n');
  expect(writeRow('csv', ['name', 'formula', 'ms', 'none', 'absent'], row)).toBe(
    '"a ""b"",\nc","\'=HYPERLINK(""x"")",-1.5,,\r\n',
  );
});

it('writes an object to a line, as it is', () => {
  expect(writeHead('jsonl', ['name'])).toBe('');
  expect(writeRow('jsonl', ['formula', 'ms', 'absent'], row)).toBe(
    '{"formula":"=HYPERLINK(\\"x\\")","ms":-1.5,"absent":null}\n',
  );
});
