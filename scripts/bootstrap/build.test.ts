import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSources } from './build.mjs';

describe('hashSources', () => {
  let root: string;
  let before: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cairn-build-'));
    mkdirSync(join(root, 'src/base'), { recursive: true });
    mkdirSync(join(root, 'scripts'));
    for (const path of ['src/main.ts', 'src/base/a.ts', 'scripts/bundle.ts', 'package.json', 'package-lock.json']) {
      writeFileSync(join(root, path), path);
    }
    before = hashSources(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('stays when nothing but times and tests changed', () => {
    utimesSync(join(root, 'src/main.ts'), 1, 1);
    writeFileSync(join(root, 'src/base/a.test.ts'), 'new');
    expect(hashSources(root)).toBe(before);
  });

  it.each(['src/base/a.ts', 'scripts/bundle.ts', 'package.json', 'package-lock.json', 'src/base/new.ts'])(
    'changes with %s',
    (path) => {
      writeFileSync(join(root, path), 'changed');
      expect(hashSources(root)).not.toBe(before);
    },
  );

  it('changes when a source is renamed', () => {
    renameSync(join(root, 'src/base/a.ts'), join(root, 'src/base/b.ts'));
    expect(hashSources(root)).not.toBe(before);
  });
});
