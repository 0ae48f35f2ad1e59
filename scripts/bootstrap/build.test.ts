import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashSources } from './build.mjs';

const OUTSIDE_SRC = [
  'ui/main.tsx',
  'docs/schema.graphql',
  'relay.config.json',
  'scripts/bundle.ts',
  'scripts/bundle/program.ts',
  'scripts/bundle-ui.ts',
  'package.json',
  'package-lock.json',
];

describe('hashSources', () => {
  let root: string;
  let before: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'cairn-build-'));
    mkdirSync(join(root, 'src/base'), { recursive: true });
    for (const folder of ['scripts/bundle', 'docs', 'ui/__generated__'])
      mkdirSync(join(root, folder), { recursive: true });
    for (const path of ['src/base/a.ts', 'src/main.ts', ...OUTSIDE_SRC]) writeFileSync(join(root, path), path);
    before = hashSources(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('stays when nothing but times, tests and artifacts changed', () => {
    utimesSync(join(root, 'src/main.ts'), 1, 1);
    writeFileSync(join(root, 'ui/__generated__/query.graphql.ts'), 'new');
    writeFileSync(join(root, 'src/base/a.test.ts'), 'new');
    expect(hashSources(root)).toBe(before);
  });

  it.each(['src/base/a.ts', 'src/base/new.ts', ...OUTSIDE_SRC])('changes with %s', (path) => {
    writeFileSync(join(root, path), 'changed');
    expect(hashSources(root)).not.toBe(before);
  });

  it('changes when a source is renamed', () => {
    renameSync(join(root, 'src/base/a.ts'), join(root, 'src/base/b.ts'));
    expect(hashSources(root)).not.toBe(before);
  });
});
