import { describe, expect, it } from 'vitest';
import { describeAction, describeRest, shareDone } from './describe-action.ts';

const running = {
  kind: 'DELETE',
  rows: 'TRACES',
  state: 'RUNNING',
  totalCount: 12_345,
  notedCount: 12_345,
  doneCount: 2000,
  goneCount: 0,
  refusedCount: 0,
  error: null,
  toProject: null,
  annotationName: null,
} as const;

describe('an action on many rows', () => {
  it('says what it looks for, and then how far it is', () => {
    expect(describeAction({ ...running, totalCount: null, notedCount: 700 })).toBe(
      'Finding traces to delete: 700 so far',
    );
    expect(describeAction(running)).toBe('Deleting 12,345 traces: 2,000 done');
    const move = { ...running, kind: 'MOVE', rows: 'SESSIONS', totalCount: 1, toProject: { name: 'other' } } as const;
    expect(describeAction(move)).toBe('Moving 1 session to other: 2,000 done');
  });

  it('says what rows are annotated with, and what is queued', () => {
    const annotate = { ...running, kind: 'ANNOTATE', annotationName: 'tone' } as const;
    expect(describeAction(annotate)).toBe('Annotating 12,345 traces with tone: 2,000 done');
    expect(describeAction({ ...annotate, state: 'DONE', doneCount: 1 })).toBe('Annotated 1 trace with tone.');
    expect(describeRest({ ...annotate, refusedCount: 2 })).toBe('2 could not be annotated.');
    expect(describeAction({ ...running, kind: 'QUEUE', state: 'DONE' })).toBe('Queued 2,000 traces.');
  });

  it('says what came of it', () => {
    expect(describeAction({ ...running, state: 'DONE', doneCount: 1 })).toBe('Deleted 1 trace.');
    expect(describeAction({ ...running, state: 'CANCELLED' })).toBe('Cancelled. Deleted 2,000 traces before.');
    expect(describeAction({ ...running, state: 'FAILED', error: 'The disk is full.' })).toBe(
      'Deleting failed. Deleted 2,000 traces before. The disk is full.',
    );
  });

  it('says what was left out, and why', () => {
    expect(describeRest(running)).toBeUndefined();
    expect(describeRest({ ...running, goneCount: 1 })).toBe('1 was already gone.');
    expect(describeRest({ ...running, goneCount: 2, refusedCount: 3 })).toBe(
      '2 were already gone. 3 could not be deleted.',
    );
  });

  it('knows its share once everything is noted', () => {
    expect(shareDone({ ...running, totalCount: null })).toBeUndefined();
    expect(shareDone({ ...running, totalCount: 0 })).toBeUndefined();
    expect(shareDone({ ...running, totalCount: 4000, goneCount: 1000 })).toBe(0.75);
  });
});
