import { describe, expect, it } from 'vitest';
import { exampleTree } from '../source/example-tree.ts';
import { findBoundaryBreaches } from './boundaries.ts';

const TABLE = {
  layers: { base: [], config: ['base'], store: ['base'], cli: ['store', 'base'], 'main.ts': ['cli'] },
  typesAnywhere: ['config'],
};

function breachesOf(files: Record<string, string>): readonly string[] {
  return findBoundaryBreaches(exampleTree(files), TABLE);
}

describe('findBoundaryBreaches', () => {
  it('accepts what the table allows', () => {
    const breaches = breachesOf({
      'src/main.ts': `import { run } from '#cli/run';`,
      'src/cli/run.ts': `import { open } from '#store/open'; import './help.ts'; import 'commander';`,
      'src/store/open.ts': `import type { Config } from '#config/config';`,
      'src/base/version.ts': `import manifest from '../../package.json' with { type: 'json' };`,
    });
    expect(breaches).toEqual([]);
  });

  it.each([
    ['static', `import { run } from '#cli/run';`],
    ['type-only', `import type { Run } from '#cli/run';`],
    ['dynamic', `await import('#cli/run');`],
    ['re-exporting', `export { run } from '#cli/run';`],
    ['inline type', `type Run = import('#cli/run').Run;`],
  ])('rejects a %s import that the table does not allow', (_form, text) => {
    expect(breachesOf({ 'src/store/open.ts': text })).toEqual([
      'src/store/open.ts:1: store may not import cli (#cli/run)',
    ]);
  });

  it('rejects a value import of a layer whose types alone are open to everybody', () => {
    expect(breachesOf({ 'src/store/open.ts': `import { config } from '#config/config';` })).toHaveLength(1);
  });

  it('rejects a relative import of another layer, even of an allowed one', () => {
    expect(breachesOf({ 'src/store/spans/a.ts': `\nimport '../../base/json.ts';` })).toEqual([
      'src/store/spans/a.ts:2: import ../../base/json.ts by its alias #base/json',
    ]);
    expect(breachesOf({ 'src/main.ts': `import './cli/run.ts';` })).toHaveLength(1);
  });

  it('rejects an alias of the own layer', () => {
    expect(breachesOf({ 'src/store/a.ts': `import '#store/b';` })).toHaveLength(1);
  });

  it('rejects an import from outside src/, but lets tests share what lies in test/', () => {
    expect(breachesOf({ 'src/store/a.test.ts': `import '../../test/harness.ts';` })).toEqual([]);
    expect(breachesOf({ 'src/store/a.test.ts': `import '../../scripts/bundle.ts';` })).toHaveLength(1);
    expect(breachesOf({ 'src/store/a.ts': `import '../../test/harness.ts';` })).toEqual([
      'src/store/a.ts:1: ../../test/harness.ts leaves src/',
    ]);
  });

  it('rejects a folder, or a file directly in src/, that the table does not know', () => {
    expect(breachesOf({ 'src/helpers/a.ts': '', 'src/stray.ts': '' })).toEqual([
      'src/helpers: not in layers.json; say there what it may import',
      'src/stray.ts: not in layers.json; say there what it may import',
    ]);
  });

  it('rejects barrels', () => {
    expect(breachesOf({ 'src/store/spans/index.ts': '' })).toHaveLength(1);
  });
});
