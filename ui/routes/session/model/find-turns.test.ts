import { expect, it } from 'vitest';
import { findTurns } from './find-turns.ts';

const said = (input: string | null, output: string | null) =>
  ({
    type: 'turn',
    number: 1,
    turn: {
      startTime: '',
      endTime: '',
      input: input === null ? null : { value: input },
      output: output === null ? null : { value: output },
    },
  }) as const;

it('finds turns by what either side said, in any letter case', () => {
  const rows = [
    said('Where is PARIS?', 'In France.'),
    { type: 'pause', ms: 1 } as const,
    said(null, 'paris'),
    said('Rome', null),
  ];
  expect(findTurns(rows, ' paris ')).toEqual([0, 2]);
  expect(findTurns(rows, 'france')).toEqual([0]);
  expect(findTurns(rows, ' ')).toEqual([]);
});
