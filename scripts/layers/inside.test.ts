import { describe, expect, it } from 'vitest';
import { exampleTree } from '../source/example-tree.ts';
import { findInsideBreaches } from './inside.ts';

const TABLE = {
  inside: {
    store: [
      { layer: 'core', mayImport: [], folders: ['schema', 'engine'] },
      { layer: 'writing', mayImport: ['core'], folders: ['spans/write', 'spans'] },
      { layer: 'reading', mayImport: ['core'], folders: ['query', 'database.ts'] },
    ],
  },
};

/** A file in every place that the table lists. */
const WHOLE = {
  'src/store/schema/tables.ts': '',
  'src/store/engine/engine.ts': `import '../schema/tables.ts';`,
  'src/store/spans/write/writer.ts': `import '../../engine/engine.ts';`,
  'src/store/spans/port.ts': `import './write/writer.ts';`,
  'src/store/query/find.ts': `import '../schema/tables.ts'; import 'kysely';`,
  'src/store/database.ts': `import './query/find.ts'; import '#base/json';`,
};

function breachesOf(files: Record<string, string>): readonly string[] {
  return findInsideBreaches(exampleTree({ ...WHOLE, ...files }), TABLE);
}

describe('findInsideBreaches', () => {
  it('accepts imports of folders that stand before', () => {
    expect(breachesOf({})).toEqual([]);
  });

  it.each([
    ['static', `import { port } from '../port.ts';`],
    ['type-only', `import type { Port } from '../port.ts';`],
    ['dynamic', `await import('../port.ts');`],
  ])('rejects a %s import of a folder that stands after', (_form, text) => {
    expect(breachesOf({ 'src/store/spans/write/a.ts': text })).toEqual([
      'src/store/spans/write/a.ts:1: spans/write stands before spans and may not import it (../port.ts)',
    ]);
  });

  it('rejects one of two folders of a layer that import each other', () => {
    expect(breachesOf({ 'src/store/schema/a.ts': `import '../engine/engine.ts';` })).toHaveLength(1);
  });

  it('rejects an import of a layer that the table does not allow, though it stands before', () => {
    expect(breachesOf({ 'src/store/query/a.ts': `import '../spans/port.ts';` })).toEqual([
      'src/store/query/a.ts:1: query is of layer reading, which may not import layer writing (../spans/port.ts)',
    ]);
  });

  it('rejects a folder and a file that the table does not list', () => {
    expect(breachesOf({ 'src/store/query/pages/a.ts': '', 'src/store/stray.ts': '' })).toEqual([
      'src/store/query/pages: not in layers.json; list it there after all that it imports',
      'src/store/stray.ts: not in layers.json; list it there after all that it imports',
    ]);
  });

  it('rejects what the table lists and is not there', () => {
    const { 'src/store/query/find.ts': _gone, ...rest } = WHOLE;
    const tree = exampleTree({ ...rest, 'src/store/database.ts': '' });
    expect(findInsideBreaches(tree, TABLE)).toEqual(['src/store/query: in layers.json, but nothing is there']);
  });

  it('lets tests and fixtures import everything, and leaves other top-level folders alone', () => {
    const files = {
      'src/store/schema/a.test.ts': `import '../query/find.ts';`,
      'src/store/known.fixture.ts': `import './database.ts';`,
      'src/api/a.ts': `import '#store/database';`,
    };
    expect(breachesOf(files)).toEqual([]);
  });
});
