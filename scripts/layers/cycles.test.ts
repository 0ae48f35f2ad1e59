import { describe, expect, it } from 'vitest';
import { exampleTree } from '../source/example-tree.ts';
import { findCycles } from './cycles.ts';

describe('findCycles', () => {
  it('finds none where files only share what they import', () => {
    const tree = exampleTree({
      'src/a/top.ts': `import './left.ts'; import './right.ts';`,
      'src/a/left.ts': `import './bottom.ts';`,
      'src/a/right.ts': `import './bottom.ts'; import './left.ts';`,
      'src/a/bottom.ts': `import 'node:fs';`,
    });
    expect(findCycles(tree)).toEqual([]);
  });

  it('finds a cycle across folders, type-only imports included', () => {
    const tree = exampleTree({
      'src/a/entry.ts': `import './one.ts';`,
      'src/a/one.ts': `import '#b/two';`,
      'src/b/two.ts': `import type { One } from '#a/one';`,
    });
    expect(findCycles(tree)).toEqual(['src/a/one.ts: import cycle src/a/one.ts → src/b/two.ts → src/a/one.ts']);
  });

  it('finds a file that imports itself', () => {
    expect(findCycles(exampleTree({ 'src/a/one.ts': `import './one.ts';` }))).toHaveLength(1);
  });
});
