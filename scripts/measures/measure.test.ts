import { describe, expect, it } from 'vitest';
import { exampleTree } from '../source/example-tree.ts';
import { measure } from './measure.ts';

const NO_OTHERS = { testLineCount: 0, lineCounts: new Map<string, number>() };

/** Files of these many lines, one statement a line. */
function filesOf(lineCounts: Record<string, number>): Record<string, string> {
  return Object.fromEntries(Object.entries(lineCounts).map(([path, count]) => [path, ';\n'.repeat(count)]));
}

function broken(files: Record<string, string>, others = NO_OTHERS): Record<string, string> {
  const out = measure(exampleTree(files), others).filter(({ isWithin }) => !isWithin);
  return Object.fromEntries(out.map(({ name, value }) => [name, value]));
}

describe('measure', () => {
  it('accepts code at the bounds', () => {
    const sources = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`src/a/f${i}.ts`, i < 8 ? 120 : 320]));
    const others = { testLineCount: 1280, lineCounts: new Map([['test/a.test.ts', 500]]) };
    expect(broken(filesOf(sources), others)).toEqual({});
  });

  it('refuses a median over 120 lines and a ninetieth percentile over 320', () => {
    const files = filesOf({ 'src/a/a.ts': 121, 'src/a/b.ts': 121, 'src/a/c.ts': 321, 'src/a/a.test.ts': 500 });
    expect(broken(files)).toEqual({ 'median lines': '121', 'p90 lines': '321' });
  });

  it('refuses a file over 500 lines, tests and scripts included', () => {
    const others = { testLineCount: 1000, lineCounts: new Map([['scripts/b.ts', 501]]) };
    const files = filesOf({ 'src/a/a.ts': 10, 'src/a/a.test.ts': 501 });
    expect(broken(files, others)).toEqual({ 'files over 500 lines, tests too': '2' });
  });

  it('refuses more than three uses of any in ten thousand lines of source', () => {
    const files = { ...filesOf({ 'src/a/a.test.ts': 90 }), 'src/a/a.ts': `let a: any;\n${';\n'.repeat(99)}` };
    expect(broken(files)).toEqual({ 'any per 1,000 lines': '10' });
  });

  it('does not count what tests use', () => {
    const files = { ...filesOf({ 'src/a/a.ts': 1 }), 'src/a/a.test.ts': 'let a: any;\n' };
    expect(broken(files)).toEqual({});
  });

  it('refuses a boundary export without a docstring', () => {
    const files = { 'src/a/a.ts': 'export const a = 1;\n', 'src/b/b.test.ts': `import { a } from '#a/a';\n` };
    expect(broken(files)).toEqual({ 'documented boundary exports, %': '0' });
  });

  it('refuses fewer than seven lines of tests for ten of source, contract suites counting as tests', () => {
    const files = filesOf({ 'src/a/a.ts': 100, 'src/a/contract.ts': 50, 'src/a/a.test.ts': 10 });
    expect(broken(files, { ...NO_OTHERS, testLineCount: 9 })).toEqual({ 'test lines per source line': '0.69' });
    expect(broken(files, { ...NO_OTHERS, testLineCount: 10 })).toEqual({});
  });
});
