import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const CSS = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Names without `--color-`, of colours that are written in hexadecimal for both themes. */
const COLORS: ReadonlyMap<string, Record<Theme, string>> = new Map(
  [...CSS.matchAll(/--color-([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }],
  ),
);

const SURFACES = ['bg', 'bg-raised', 'bg-sunken', 'bg-hover', 'bg-selected'];
const TONES = ['accent', 'danger', 'warning', 'success', 'info'];
const TEXTS = [
  'text',
  'text-muted',
  'text-faint',
  ...TONES,
  ...[...COLORS.keys()].filter((name) => name.startsWith('kind-') || name.startsWith('role-')),
];
const MARKS = ['border-strong', 'focus'];

describe('the colours of the design', () => {
  it('are there for every kind of span and every role', () => {
    expect(TEXTS.filter((name) => name.startsWith('kind-'))).toHaveLength(12);
    expect(TEXTS.filter((name) => name.startsWith('role-'))).toHaveLength(4);
    expect([...SURFACES, ...TEXTS, ...MARKS].filter((name) => !COLORS.has(name))).toEqual([]);
  });

  it.each(THEMES)('can be read as text on every surface of the %s theme', (theme) => {
    expect(pairsBelow(4.5, TEXTS, SURFACES, theme)).toEqual([]);
  });

  it.each(THEMES)('can be read on the ground of their own tone in the %s theme', (theme) => {
    for (const tone of TONES) {
      expect(pairsBelow(4.5, [tone, 'text', 'text-muted'], [`${tone}-bg`], theme)).toEqual([]);
    }
    expect(pairsBelow(4.5, ['accent-text'], ['accent'], theme)).toEqual([]);
  });

  it.each(THEMES)('can be seen as marks on every surface of the %s theme', (theme) => {
    expect(pairsBelow(3, MARKS, SURFACES, theme)).toEqual([]);
  });

  it('have in the document the contrast that they have', () => {
    const doc = readFileSync(new URL('../../docs/design.md', import.meta.url), 'utf8');
    const rows = [...doc.matchAll(/^\| `([\w-]+)` \|.*\| ([\d.]+) \| ([\d.]+) \|$/gm)];
    expect(new Set(rows.map(([, name]) => name))).toEqual(new Set([...TEXTS, ...MARKS]));
    expect(rows).toHaveLength(TEXTS.length + MARKS.length);
    for (const [, name = '', light, dark] of rows) {
      expect([name, light, dark]).toEqual([name, leastContrast(name, 'light'), leastContrast(name, 'dark')]);
    }
  });
});

function pairsBelow(least: number, colors: readonly string[], grounds: readonly string[], theme: Theme): string[] {
  return colors.flatMap((color) =>
    grounds
      .map((ground) => ({ ground, ratio: contrast(valueOf(color, theme), valueOf(ground, theme)) }))
      .filter(({ ratio }) => ratio < least)
      .map(({ ground, ratio }) => `${color} on ${ground}: ${ratio.toFixed(2)}`),
  );
}

function leastContrast(color: string, theme: Theme): string {
  const ratios = SURFACES.map((ground) => contrast(valueOf(color, theme), valueOf(ground, theme)));
  return Math.min(...ratios).toFixed(1);
}

function valueOf(name: string, theme: Theme): string {
  const color = COLORS.get(name);
  if (color === undefined) throw new Error(`tokens.css has no --color-${name} for both themes.`);
  return color[theme];
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
