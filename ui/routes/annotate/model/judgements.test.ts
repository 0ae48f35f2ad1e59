import { describe, expect, it } from 'vitest';
import { describeAnswer, type Judgement, sortJudgements } from './judgements.ts';

const judgement = (id: string, more: Partial<Judgement>): Judgement => ({
  id,
  name: 'tone',
  annotatorKind: 'HUMAN',
  source: 'APP',
  identifier: '',
  label: null,
  score: null,
  explanation: null,
  updatedAt: `2026-11-23T10:00:0${id}Z`,
  user: null,
  ...more,
});

const ADA = { id: 'ada', username: 'ada' };
const BOB = { id: 'bob', username: 'bob' };

describe('judgements', () => {
  it('are the user’s own, other people’s and programs’, and notes', () => {
    const all = [
      judgement('1', { user: BOB }),
      judgement('2', { user: ADA }),
      judgement('3', { user: ADA, source: 'API' }),
      judgement('4', { name: 'a', annotatorKind: 'LLM' }),
      judgement('6', { name: 'note', user: ADA }),
      judgement('5', { name: 'note', user: BOB }),
    ];
    const ids = (viewerId: string | null) => {
      const { own, others, notes } = sortJudgements(all, viewerId);
      return [[...own.values()], others, notes].map((some) => some.map(({ id }) => id));
    };
    expect(ids('ada')).toEqual([['2'], ['4', '3', '1'], ['5', '6']]);
    expect(ids(null)).toEqual([[], ['4', '3', '2', '1'], ['5', '6']]);
  });

  it('of nobody are one’s own while authentication is off', () => {
    expect([...sortJudgements([judgement('1', {})], null).own.keys()]).toEqual(['tone']);
    expect([...sortJudgements([judgement('1', {})], 'ada').own.keys()]).toEqual([]);
  });
});

describe('what a judgement says in few words', () => {
  it.each([
    [{ label: 'good', score: 0.9, explanation: 'why' }, 'good · 0.9'],
    [{ label: null, score: 0, explanation: null }, '0'],
    [{ label: null, score: 1 / 3, explanation: null }, '0.3333'],
    [{ label: null, score: null, explanation: 'why' }, 'why'],
    [{ label: null, score: null, explanation: null }, 'no value'],
  ])('%j is %j', (answer, text) => {
    expect(describeAnswer(answer)).toBe(text);
  });
});
