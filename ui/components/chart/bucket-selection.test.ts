import { expect, it } from 'vitest';
import { selectionAfterKey } from './bucket-selection.ts';

it('moves by arrows, and extends with shift from where it began', () => {
  expect(selectionAfterKey({ from: 1, to: 1 }, 'ArrowRight', false, 3)).toEqual({ from: 2, to: 2 });
  expect(selectionAfterKey({ from: 2, to: 2 }, 'ArrowRight', true, 3)).toEqual({ from: 2, to: 2 });
  expect(selectionAfterKey({ from: 2, to: 1 }, 'ArrowLeft', true, 3)).toEqual({ from: 2, to: 0 });
  expect(selectionAfterKey({ from: 0, to: 0 }, 'x', false, 3)).toBeUndefined();
});
