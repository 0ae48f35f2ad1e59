import { expect, it } from 'vitest';
import { formatGlobalId } from '#base/global-id';
import { isNodeId } from './node-id.ts';

it('tells ids of nodes from what is mistyped', () => {
  expect(isNodeId('Project', formatGlobalId('Project', 17))).toBe(true);
  expect(isNodeId('ProjectSession', formatGlobalId('ProjectSession', 9_007_199_254_740_991))).toBe(true);
  expect(isNodeId('Project', formatGlobalId('ProjectSession', 17))).toBe(false);
  expect(isNodeId('Project', btoa('Project:x'))).toBe(false);
  for (const text of ['', 'none', 'mistyped', '%', btoa('Project:'), 'Zm'.repeat(200)]) {
    expect(isNodeId('Project', text), text).toBe(false);
  }
});
