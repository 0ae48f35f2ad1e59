import { describe, expect, it } from 'vitest';
import { exampleTree } from '../source/example-tree.ts';
import { measureBoundaryDocs } from './boundary-docs.ts';

describe('measureBoundaryDocs', () => {
  it('counts what another layer imports, and names what has no docstring', () => {
    const tree = exampleTree({
      'src/base/a.ts': `/** Yes. */\nexport const documented = 1;\nexport const bare = 2;\nexport const unused = 3;`,
      'src/base/b.ts': `import { unused } from './a.ts';`,
      'src/store/c.ts': `import { documented, bare } from '#base/a';`,
    });
    expect(measureBoundaryDocs(tree)).toEqual({ exportCount: 2, undocumented: ['src/base/a.ts:3 bare'] });
  });

  it('looks through re-exports at the declaration', () => {
    const tree = exampleTree({
      'src/base/a.ts': `export const bare = 1;`,
      'src/base/b.ts': `/** Not here. */\nexport { bare as renamed } from './a.ts';`,
      'src/base/c.ts': `export * from './b.ts';`,
      'src/store/d.ts': `import { renamed } from '#base/c';`,
    });
    expect(measureBoundaryDocs(tree).undocumented).toEqual(['src/base/a.ts:1 bare']);
  });

  it('takes an import of everything as an import of each export', () => {
    const tree = exampleTree({
      'src/base/a.ts': `export const one = 1;\nexport const two = 2;`,
      'src/store/b.ts': `import * as a from '#base/a';`,
    });
    expect(measureBoundaryDocs(tree).undocumented).toHaveLength(2);
  });
});
