import { expect, it } from 'vitest';
import { readDocuments } from './documents.ts';
import { formatScore, placesMoved } from './ranking.ts';

const documents = (...items: { id?: string; content?: string }[]) =>
  readDocuments({ list: items.map((document) => ({ document })) }, 'list');

it('tells how far documents have moved, by id or else by content', () => {
  const before = documents({ id: 'a' }, { id: 'b' }, { content: 'text' });
  const after = documents({ content: 'text' }, { id: 'b' }, { id: 'a' }, { id: 'new' });
  expect(after.map((document) => placesMoved(document, before))).toEqual([2, 0, -2, 0]);
});

it('writes scores short', () => {
  expect([0.9971063930216766, 3, 0.000012345].map(formatScore)).toEqual(['0.9971', '3', '0.00001234']);
});
