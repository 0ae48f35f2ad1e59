import { expect, it } from 'vitest';
import { parseJson } from '#base/json';
import { checkAnnotations } from '#domain/annotation';
import { systemKeyCaller, userCaller } from '#domain/callers.fixture';
import { toChange, toNewAnnotation } from './inputs.ts';

const nested = (depth: number) => parseJson(`${'{"a":['.repeat(depth / 2)}1.0${']}'.repeat(depth / 2)}`);

it('metadata of any depth beyond the limit is refused', () => {
  expect(toChange('span', { metadata: nested(32) }).metadata).toMatch(/^(\{"a":\[){16}1\.0/);
  for (const depth of [34, 5000]) {
    expect(() => toChange('span', { metadata: nested(depth) })).toThrow(
      'The metadata is nested deeper than 32 levels.',
    );
  }
});

it.each([
  { caller: userCaller('member'), identifier: 'px-app:VXNlcjox' },
  // It is nobody in the web UI, whose identifiers it may not use.
  { caller: systemKeyCaller(), identifier: '' },
  { caller: { kind: 'admin_secret', role: 'admin', rowId: 1 } as const, identifier: '' },
])('$caller.kind may store what it says as in the web UI', ({ caller, identifier }) => {
  const input = { name: 'tone', annotatorKind: 'HUMAN', source: 'APP', metadata: {} } as const;
  const said = toNewAnnotation(caller, 'span', 7, input);
  expect(said.identifier).toBe(identifier);
  expect(() => checkAnnotations(caller, 'span', [said])).not.toThrow();
});
