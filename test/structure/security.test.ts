import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { tableLines } from '../server/access/declared.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Of docs/security.md, without the lines that name the columns. */
const ROWS = tableLines(readFileSync(`${ROOT}/docs/security.md`, 'utf8')).filter((cells) => cells.at(-1) !== 'Held by');

it.each(ROWS.map((cells) => [`${cells[0]}: ${cells[1]}`, cells] as const))('docs/security.md: %s', (_row, cells) => {
  expect(cells.filter((cell) => cell === '')).toEqual([]);
  expect(findAbsent(cells.at(-1) ?? '')).toEqual([]);
});

it('docs/security.md has all promises and all weaknesses, each once', () => {
  const ids = ROWS.map(([id]) => id).filter((id) => id !== '–');
  const weaknesses = Array.from({ length: 20 }, (_, place) => `W${place + 1}`);
  const promises = Array.from({ length: 40 }, (_, place) => `${place + 1}`);
  expect(ids).toEqual([...weaknesses, ...promises]);
});

/** Of `file`: a group › a test; another test; `other file`: …, what is not there. */
function findAbsent(cell: string): readonly string[] {
  let path = '';
  return cell.split('; ').flatMap((entry) => {
    const [, file, rest] = /^`([^`]+)`: (.+)$/.exec(entry) ?? [undefined, undefined, entry];
    path = file ?? path;
    return holds(readFileSync(`${ROOT}/${path}`, 'utf8'), (rest ?? '').split(' › ')) ? [] : [`${path}: ${rest}`];
  });
}

/** Whether a file has tests, or groups of them, with these titles, one after the other. */
function holds(source: string, titles: readonly string[]): boolean {
  const calls = titles.map((title) => `\\(\\s*['"\`]${escape(title)}['"\`],`);
  return new RegExp(calls.join('.*?'), 's').test(source);
}

function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
