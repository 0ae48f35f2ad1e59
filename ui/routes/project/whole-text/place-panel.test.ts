import { expect, it } from 'vitest';
import { placePanel } from './place-panel.ts';

const ROOM = { width: 1440, height: 900 };
const cell = (left: number, top: number, width = 140) => ({ left, top, width, height: 38 });

it('stands below its cell, or above it where there is more room', () => {
  expect(placePanel(cell(300, 200), ROOM)).toEqual({ left: 300, top: 242, width: 560, maxHeight: 360 });
  expect(placePanel(cell(300, 800), ROOM)).toEqual({ left: 300, bottom: 104, width: 560, maxHeight: 360 });
});

it('stays within the window', () => {
  expect(placePanel(cell(1300, 200), ROOM).left).toBe(872);
  expect(placePanel(cell(0, 200, 390), { width: 390, height: 844 })).toMatchObject({ left: 8, width: 374 });
  expect(placePanel(cell(300, 100), { width: 1440, height: 240 }).maxHeight).toBe(90);
});
