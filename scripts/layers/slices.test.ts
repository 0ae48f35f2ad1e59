import { describe, expect, it } from 'vitest';
import { exampleTree } from '../source/example-tree.ts';
import { findSliceBreaches } from './slices.ts';

/** Of files of slices that each have a policy. */
function breachesOf(files: Record<string, string>): readonly string[] {
  const slices = Object.keys(files).flatMap((path) => path.split('/').slice(2, -1).slice(0, 1));
  const policies = Object.fromEntries(slices.map((slice) => [`src/resources/${slice}/policy.ts`, '']));
  return findSliceBreaches(exampleTree({ ...policies, ...files }));
}

describe('findSliceBreaches', () => {
  it('accepts a slice that keeps to its parts and to slices before it', () => {
    const breaches = breachesOf({
      'src/resources/projects/queries.ts': '',
      'src/resources/spans/queries.ts': `import '#store/spans/port';`,
      'src/resources/spans/operations/list.ts': `import '../queries.ts'; import '../../projects/queries.ts'; import './page.ts';`,
      'src/resources/spans/operations/page.ts': `import type { Caller } from '#domain/caller';`,
      'src/resources/spans/rest.ts': `import './operations/list.ts'; import './present.ts'; import '../projects/operations.ts';`,
      'src/resources/spans/commands.ts': `import './policy.ts'; import './queries.ts';`,
      'src/resources/spans/slice.ts': `import '../slice.ts'; import './policy.ts'; import './commands.ts';`,
      'src/resources/slices.ts': `import './spans/slice.ts';`,
      'src/resources/spans/rest.test.ts': `import './queries.ts'; import '../projects/queries.ts';`,
    });
    expect(breaches).toEqual([]);
  });

  it('rejects a file name that no slice has', () => {
    expect(breachesOf({ 'src/resources/spans/service.ts': '' })).toHaveLength(1);
  });

  it('rejects a slice without a policy', () => {
    expect(findSliceBreaches(exampleTree({ 'src/resources/spans/rest.ts': '' }))).toEqual([
      'src/resources/spans: a slice says in policy.ts who may do what',
    ]);
  });

  it('rejects a file beside the slices', () => {
    expect(findSliceBreaches(exampleTree({ 'src/resources/paging.ts': '' }))).toEqual([
      'src/resources/paging.ts: beside the slices stand slice.ts, slices.ts, tests and fixtures only',
    ]);
  });

  it('rejects slices that import each other, also by way of a third', () => {
    const of = (slice: string, other: string) => ({
      [`src/resources/${slice}/policy.ts`]: '',
      [`src/resources/${slice}/operations.ts`]: `import '../${other}/operations.ts';`,
    });
    const circle = { ...of('spans', 'traces'), ...of('traces', 'projects'), ...of('projects', 'spans') };
    expect(findSliceBreaches(exampleTree({ ...circle, ...of('search', 'spans') }))).toEqual([
      'src/resources: these slices import each other in a circle: projects, spans, traces',
    ]);
  });

  it.each([
    ['commands.ts', './rest.ts', 'commands may not import rest'],
    ['loaders.ts', './slice.ts', 'loaders may not import slice'],
    ['rest.ts', './graphql.ts', 'rest may not import graphql'],
    ['queries.ts', './operations.ts', 'queries may not import operations'],
    ['rest.ts', '../projects/queries.ts', 'rest may not import queries'],
    ['operations.ts', '../projects/rest.ts', 'another slice gives its operations, queries, present only'],
    ['operations.ts', '#domain/caller', 'a slice makes no caller, it is given one'],
  ])('rejects %s importing %s', (file, specifier, reason) => {
    expect(breachesOf({ [`src/resources/spans/${file}`]: `import '${specifier}';` })).toEqual([
      `src/resources/spans/${file}:1: ${reason}`,
    ]);
  });
});
