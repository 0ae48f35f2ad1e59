import { expect, it } from 'vitest';
import { partsOfPath, patternOfPath, toFastifyPath } from './path-pattern.ts';

const PATH = '/v1/projects/{project_identifier}/spans.json/{span_id}';

it('has text and parameters in turns', () => {
  expect(partsOfPath(PATH)).toEqual(['/v1/projects/', '{project_identifier}', '/spans.json/', '{span_id}', '']);
  expect(partsOfPath('/healthz')).toEqual(['/healthz']);
  expect(toFastifyPath(PATH)).toBe('/v1/projects/:project_identifier/spans.json/:span_id');
});

it.each([
  ['/v1/projects/a/spans.json/b', true],
  ['/v1/projects/a%2Fb/spans.json/b c', true],
  ['/v1/projects/a/b/spans.json/c', false],
  ['/v1/projects//spans.json/b', false],
  ['/v1/projects/a/spansXjson/b', false],
  ['/v1/projects/a/spans.json/b/', false],
  ['x/v1/projects/a/spans.json/b', false],
])('of %s says whether it is an address of the path: %s', (address, isOne) => {
  expect(patternOfPath(PATH).test(address)).toBe(isOne);
});

it('gives what stands in the place of each part, where parameters may be anything', () => {
  const pattern = patternOfPath('/v1/{name}/spans', (part) => (part === '{name}' ? '.+' : '[^/]+'));
  expect(pattern.exec('/v1/a/b\n/spans')?.slice(1)).toEqual(['/v1/', 'a/b\n', '/spans']);
});
