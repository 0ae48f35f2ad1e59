import { expect, it } from 'vitest';
import { COLOUR_PRESETS, OWN_COLOURS, presetOf } from './colours.ts';

it('finds the preset of two colours', () => {
  for (const { id, startColor, endColor } of COLOUR_PRESETS)
    expect(presetOf({ startColor: startColor.toUpperCase(), endColor })).toBe(id);
  expect(presetOf({ startColor: '#123456', endColor: '#654321' })).toBe(OWN_COLOURS);
});

it('offers colours as the server takes them, each pair once', () => {
  const pairs = COLOUR_PRESETS.map(({ startColor, endColor }) => `${startColor} ${endColor}`);
  expect(new Set(pairs).size).toBe(pairs.length);
  for (const pair of pairs) expect(pair).toMatch(/^#[0-9a-f]{6} #[0-9a-f]{6}$/);
});
