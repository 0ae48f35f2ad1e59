/** Prints the measures of the code and fails when one is out of its bounds. */
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { measure } from './measures/measure.ts';
import { countLines } from './source/module.ts';
import { readSourceTree } from './source/tree.ts';

const root = resolve(import.meta.dirname, '..');
const paths = globSync(['ui/**/*.{ts,tsx,css}', 'test/**/*.ts', 'scripts/**/*.{ts,mjs}', 'bench/**/*.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**', 'test/fixtures/**', 'ui/__generated__/**'],
});
const lineCounts = new Map(paths.map((path) => [path, countLines(readFileSync(`${root}/${path}`, 'utf8'))]));
const testLineCount = [...lineCounts].reduce(
  (total, [path, count]) => total + (path.startsWith('test') ? count : 0),
  0,
);

const measures = measure(readSourceTree(root), { testLineCount, lineCounts });
for (const { name, value, bound, isWithin, places } of measures) {
  console.log(`${isWithin ? ' ' : '✗'} ${name.padEnd(34)} ${value.padStart(7)}  ${bound}`);
  if (!isWithin) for (const place of places) console.log(`    ${place}`);
}
process.exitCode = measures.every(({ isWithin }) => isWithin) ? 0 : 1;
