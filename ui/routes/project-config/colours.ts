/** The colours that a project can have: some that go together, or any two. */

/** Two ends of a gradient, as `#3f8f7b`. */
export interface ProjectColours {
  readonly startColor: string;
  readonly endColor: string;
}

/** A pair that goes together. */
export interface ColourPreset extends ProjectColours {
  readonly id: string;
  readonly label: string;
}

/** In the order in which they are offered. */
export const COLOUR_PRESETS: readonly ColourPreset[] = [
  { id: 'lichen', label: 'Lichen', startColor: '#2f7d6b', endColor: '#9cc5a1' },
  { id: 'sea', label: 'Sea', startColor: '#1d6fa5', endColor: '#7cc6d6' },
  { id: 'dusk', label: 'Dusk', startColor: '#4b4f9e', endColor: '#b99bd9' },
  { id: 'heather', label: 'Heather', startColor: '#8f4a86', endColor: '#e0a3c3' },
  { id: 'brick', label: 'Brick', startColor: '#a4483a', endColor: '#e8a87c' },
  { id: 'amber', label: 'Amber', startColor: '#b7791f', endColor: '#f2d27a' },
  { id: 'moss', label: 'Moss', startColor: '#5a7a2b', endColor: '#c9d67c' },
  { id: 'slate', label: 'Slate', startColor: '#4a5560', endColor: '#b5bec6' },
];

/** Stands for colours that are none of {@link COLOUR_PRESETS}. */
export const OWN_COLOURS = 'own';

/** The preset that two colours are, in whichever case they are written. */
export function presetOf({ startColor, endColor }: ProjectColours): string {
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  const preset = COLOUR_PRESETS.find((one) => isSame(one.startColor, startColor) && isSame(one.endColor, endColor));
  return preset?.id ?? OWN_COLOURS;
}
