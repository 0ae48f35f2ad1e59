import { expect, it } from 'vitest';
import { annotatedLeaf } from '#filter/annotated-leaf';
import type { Condition } from '#filter/tree';
import { TestAnnotations } from '../annotations/annotations.fixture.ts';
import { openTestEngine } from '../engine/open-test-engine.fixture.ts';
import { SetMembers } from './set-members.ts';

it('a row whose annotations one statement cuts in two is a member by those of the next', async () => {
  const engine = await openTestEngine();
  const annotations = new TestAnnotations(engine.db);
  await annotations.add([
    { target: 'span', rowId: 9, name: 'q', score: 1, label: 'no' },
    { target: 'span', rowId: 8, name: 'q', score: 1, label: 'YES' },
    { target: 'span', rowId: 8, name: 'q', score: 2, label: 'no', identifier: 'other' },
    { target: 'span', rowId: 8, name: 'q', score: 3, label: 'no', identifier: 'third' },
  ]);
  const label = { kind: 'field', name: 'label', of: null, isOfParent: false } as const;
  const part = { kind: 'literal', type: 'text', value: 'yes' } as const;
  // Only the evaluator knows that the case does not matter.
  const test: Condition = { kind: 'contains', isNegated: false, text: label, part };
  for (const limit of [1, 2]) {
    const members = new SetMembers(engine, annotatedLeaf('span', { name: 'q', test, except: null }).set);
    await members.list({ from: 0, end: Infinity }, limit);
    expect([8, 9].filter((rowId) => members.isKnown({ from: rowId, end: rowId + 1 }))).toEqual([9]);
    const known = await members.look([8, 9]);
    expect([8, 9].filter((rowId) => known.has(rowId))).toEqual([8]);
  }
  await engine.close();
});
