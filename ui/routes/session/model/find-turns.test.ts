import { expect, it } from 'vitest';
import { findTurns } from './find-turns.ts';

const said = (input: string | null, output: string | null) =>
  ({
    type: 'turn',
    number: 1,
    turn: {
      startTime: '',
      endTime: '',
      input: input === null ? null : { value: input, mimeType: 'text' },
      output: output === null ? null : { value: output, mimeType: 'text' },
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

it('searches what is shown of messages, not how they were recorded', () => {
  const rows = [
    said('{"messages": [{"role": "user", "content": "Nach K\\u00f6ln?"}]}', '{"hits": 2}'),
    said('{"messages": [{"role": "user", "content": "What is my role?"}]}', null),
  ];
  expect(findTurns(rows, 'köln')).toEqual([0]);
  expect(findTurns(rows, 'role')).toEqual([1]);
  expect(findTurns(rows, 'hits')).toEqual([0]);
});
