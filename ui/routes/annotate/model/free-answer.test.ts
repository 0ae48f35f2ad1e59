import { expect, it } from 'vitest';
import { freeFaults, NO_FREE_DRAFT, toFreeAnswer } from './free-answer.ts';

const ASKED = new Set(['tone']);

it('is stored once it has a name and says something', () => {
  const draft = { ...NO_FREE_DRAFT, name: ' helpful ', label: ' yes ', scoreText: '0,5' };
  expect(toFreeAnswer(draft, ASKED)).toEqual({
    name: 'helpful',
    answer: { label: 'yes', score: 0.5, explanation: null },
  });
  expect(toFreeAnswer({ ...draft, name: ' ' }, ASKED)).toBeUndefined();
  expect(toFreeAnswer({ ...NO_FREE_DRAFT, name: 'helpful', label: ' ' }, ASKED)).toBeUndefined();
});

it('is refused under a name that has a place of its own, and with a score that is not a number', () => {
  for (const name of ['tone', 'note']) {
    const draft = { ...NO_FREE_DRAFT, name, label: 'yes' };
    expect(freeFaults(draft, ASKED).name).toMatch(/field/);
    expect(toFreeAnswer(draft, ASKED)).toBeUndefined();
  }
  const draft = { ...NO_FREE_DRAFT, name: 'helpful', label: 'yes', scoreText: 'much' };
  expect(freeFaults(draft, ASKED)).toEqual({ name: null, score: 'Enter a number, for example 0.5.' });
  expect(toFreeAnswer(draft, ASKED)).toBeUndefined();
});
