/** Links between documents lead to files and headings that there are. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENTS = ['README.md', ...globSync('{docs/**,changes}/*.md', { cwd: ROOT })];

/** The text without blocks of code. */
function prose(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replace(/^( *)```[^]*?^\1```/gm, '');
}

/** What a heading can be linked by. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-');
}

it.each(DOCUMENTS)('%s', (path) => {
  const broken = [...prose(path).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)].filter(
    ([, file = '', anchor]) => {
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(ROOT, target))) return true;
      if (anchor === undefined || !target.endsWith('.md')) return false;
      const headings = [...prose(target).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
      return !headings.includes(anchor);
    },
  );
  expect(broken.map(([link]) => link)).toEqual([]);
});
