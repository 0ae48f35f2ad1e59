import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isTestFile, readSourceTree, resolveImport } from './tree.ts';

describe('readSourceTree', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cairn-tree-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('reads the TypeScript files below src/ and nothing else', () => {
    for (const path of ['src/base/deep/a.ts', 'src/main.ts', 'src/note.md', 'test/b.ts']) {
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), 'export {};\n');
    }
    expect([...readSourceTree(root).keys()]).toEqual(['src/base/deep/a.ts', 'src/main.ts']);
  });
});

describe('resolveImport', () => {
  it('follows aliases and relative paths, and leaves packages alone', () => {
    expect(resolveImport('src/a/b.ts', '#store/spans/port')).toBe('src/store/spans/port.ts');
    expect(resolveImport('src/a/b.ts', '../c/d.ts')).toBe('src/c/d.ts');
    expect(resolveImport('src/a/b.ts', 'node:fs')).toBeUndefined();
    expect(resolveImport('src/a/b.ts', 'zod')).toBeUndefined();
  });
});

describe('isTestFile', () => {
  it('knows tests, what they start and contract suites from sources', () => {
    const paths = [
      'src/a/b.test.ts',
      'src/a/b.fixture.ts',
      'src/store/spans/contract.ts',
      'src/store/spans/browse-contract.ts',
      'src/a/contractor.ts',
      'src/a/b.ts',
    ];
    expect(paths.map(isTestFile)).toEqual([true, true, true, true, false, false]);
  });
});
