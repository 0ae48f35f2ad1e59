import { describe, expect, it } from 'vitest';
import {
  type Answer,
  answerOf,
  type AnswerField,
  changesOf,
  draftOf,
  isUnchanged,
  NO_ANSWER,
  scoreFault,
  withLabel,
} from './answers.ts';

const TONE = {
  kind: 'categorical',
  name: 'tone',
  description: null,
  values: [
    { label: 'kind', score: 1 },
    { label: 'rude', score: 0 },
    { label: 'odd', score: null },
  ],
} as const satisfies AnswerField;

const TRUTH: AnswerField = { kind: 'continuous', name: 'truth', description: null, lowerBound: 0, upperBound: 1 };

const EMPTY = draftOf(NO_ANSWER);

describe('a choice of labels', () => {
  it('has the score of the label, zero included', () => {
    expect(answerOf(withLabel(TONE, EMPTY, 'rude'))).toEqual({ label: 'rude', score: 0, explanation: null });
    expect(answerOf(withLabel(TONE, EMPTY, 'odd'))).toEqual({ label: 'odd', score: null, explanation: null });
  });

  it('is taken back by a second press, and keeps the explanation', () => {
    const chosen = withLabel(TONE, { ...EMPTY, explanation: 'why' }, 'kind');
    expect(answerOf(withLabel(TONE, chosen, 'kind'))).toEqual({ ...NO_ANSWER, explanation: 'why' });
    expect(answerOf(withLabel(TONE, chosen, 'odd'))).toEqual({ label: 'odd', score: null, explanation: 'why' });
  });
});

describe('a score', () => {
  it.each([
    ['0.5', 0.5],
    ['0,5', 0.5],
    [' 1 ', 1],
    ['.5', 0.5],
    ['1e-3', 0.001],
    ['', null],
    ['a', null],
    ['0x1', null],
    ['1e999', null],
  ])('%j is %j', (scoreText, score) => {
    expect(answerOf({ ...EMPTY, scoreText }).score).toBe(score);
  });

  it.each([
    ['', null],
    ['0', null],
    ['1', null],
    ['1.1', 'Enter a number from 0 to 1.'],
    ['-1', 'Enter a number from 0 to 1.'],
    ['good', 'Enter a number, for example 0.5.'],
  ])('%j of 0 to 1 is told: %j', (scoreText, fault) => {
    expect(scoreFault(TRUTH, { ...EMPTY, scoreText })).toBe(fault);
  });

  it('may have one bound', () => {
    const atLeast: AnswerField = { ...TRUTH, kind: 'continuous', lowerBound: 2, upperBound: null };
    expect(scoreFault(atLeast, { ...EMPTY, scoreText: '1' })).toBe('Enter a number of at least 2.');
    const atMost: AnswerField = { ...TRUTH, kind: 'continuous', lowerBound: null, upperBound: 2 };
    expect(scoreFault(atMost, { ...EMPTY, scoreText: '3' })).toBe('Enter a number of at most 2.');
    expect(scoreFault(TONE, { ...EMPTY, scoreText: '7' })).toBeNull();
  });
});

describe('changes', () => {
  const saved = new Map<string, Answer>([
    ['tone', { label: 'kind', score: 1, explanation: null }],
    ['truth', { label: null, score: 0, explanation: null }],
  ]);

  it('are what differs from what is saved', () => {
    const drafts = new Map([
      ['tone', withLabel(TONE, draftOf({ label: 'kind', score: 1, explanation: null }), 'rude')],
      ['truth', draftOf({ label: null, score: 0, explanation: '  ' })],
      ['new', { ...EMPTY, explanation: 'text' }],
      ['untouched', EMPTY],
    ]);
    expect(changesOf(drafts, saved)).toEqual({
      stored: [
        { name: 'tone', answer: { label: 'rude', score: 0, explanation: null } },
        { name: 'new', answer: { ...NO_ANSWER, explanation: 'text' } },
      ],
      removed: [],
    });
  });

  it('remove what says nothing any more', () => {
    const changes = changesOf(new Map([['truth', EMPTY]]), saved);
    expect(changes).toEqual({ stored: [], removed: ['truth'] });
    expect(isUnchanged(changes)).toBe(false);
    expect(isUnchanged(changesOf(new Map(), saved))).toBe(true);
  });
});
