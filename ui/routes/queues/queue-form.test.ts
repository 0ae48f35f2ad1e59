import { describe, expect, it } from 'vitest';
import { queueFaults, toQueueInput, writeQueue } from './queue-form.ts';

const TYPED = { ...writeQueue(), name: ' Tone ', description: ' ', instructions: 'Be strict.', configIds: ['b', 'a'] };

describe('the form of a queue', () => {
  it('sends what was typed, without spaces around it', () => {
    expect(queueFaults(TYPED)).toEqual({});
    expect(toQueueInput(TYPED)).toEqual({
      name: 'Tone',
      description: null,
      instructions: 'Be strict.',
      reviewsPerItem: 1,
      isBlind: false,
      holdMinutes: 15,
      annotationConfigIds: ['b', 'a'],
    });
  });

  it.each([
    [{ name: '  ' }, 'name'],
    [{ reviewsPerItem: '0' }, 'reviewsPerItem'],
    [{ reviewsPerItem: '6' }, 'reviewsPerItem'],
    [{ reviewsPerItem: '1.5' }, 'reviewsPerItem'],
    [{ reviewsPerItem: '' }, 'reviewsPerItem'],
    [{ holdMinutes: '241' }, 'holdMinutes'],
    [{ holdMinutes: 'ten' }, 'holdMinutes'],
  ])('%j has a fault', (typed, field) => {
    expect(Object.keys(queueFaults({ ...TYPED, ...typed }))).toEqual([field]);
  });
});
