import { expect, it } from 'vitest';
import { listSwitchItems, type ServerProject } from './known-projects.ts';

const project = (id: string, name: string): ServerProject => ({
  id,
  name,
  gradientStartColor: '#000000',
  gradientEndColor: '#ffffff',
});
const SHOP = project('1', 'web-shop');
const DESK = project('2', 'Desk');
const LAB = project('3', 'lab');

function names(text: string, found = [LAB, SHOP, DESK]): readonly string[] {
  const sources = { pinnedIds: ['2', '9'], recentIds: ['1', '2'], known: [SHOP, DESK], found, text };
  return listSwitchItems(sources).map(({ group, name }) => `${group}: ${name}`);
}

it('offers the pinned ones, then the recent ones, then all others, each of them once', () => {
  expect(names('')).toEqual(['Pinned: Desk', 'Recent: web-shop', 'All projects: lab']);
});

it('leaves out what was deleted, and what does not have the text in its name', () => {
  expect(names(' SHOP ', [SHOP])).toEqual(['Recent: web-shop']);
  expect(names('zzz', [])).toEqual([]);
});
