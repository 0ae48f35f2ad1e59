import { expect, it } from 'vitest';
import { chooseProjectColors, PROJECT_COLORS } from './project-colors.ts';

it('gives a name the same colours every time', () => {
  expect(chooseProjectColors('support-chat')).toBe(chooseProjectColors('support-chat'));
});

it('uses all pairs, none much more often than others', () => {
  const counts = new Map<unknown, number>();
  for (let place = 0; place < 1200; place++) {
    const colors = chooseProjectColors(`project-${place}`);
    counts.set(colors, (counts.get(colors) ?? 0) + 1);
  }
  expect(counts.size).toBe(PROJECT_COLORS.length);
  expect(Math.max(...counts.values())).toBeLessThan(200);
});

it.each(PROJECT_COLORS)('writes $start and $end as browsers read them', ({ start, end }) => {
  expect([start, end]).toEqual([expect.stringMatching(/^#[0-9a-f]{6}$/), expect.stringMatching(/^#[0-9a-f]{6}$/)]);
});

it('takes any name', () => {
  expect(PROJECT_COLORS).toContain(chooseProjectColors(''));
  expect(PROJECT_COLORS).toContain(chooseProjectColors('💡'.repeat(10_000)));
});
