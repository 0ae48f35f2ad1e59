/** The two colours of a project's card, `#rrggbb`. */
export interface ProjectColors {
  readonly start: string;
  readonly end: string;
}

/** Pairs that are told apart at the size of a letter, in either theme. */
export const PROJECT_COLORS: readonly ProjectColors[] = [
  { start: '#3f8f7b', end: '#e0b354' },
  { start: '#2f7fb8', end: '#7fd1c4' },
  { start: '#8a5bc7', end: '#e58fb0' },
  { start: '#c2542d', end: '#f2c14e' },
  { start: '#b0396f', end: '#f08a5d' },
  { start: '#4b6bd6', end: '#a6b8ff' },
  { start: '#5f8f2f', end: '#cddc5a' },
  { start: '#9a6b3f', end: '#e6c79c' },
  { start: '#157f9e', end: '#9ae0a0' },
  { start: '#c43d4b', end: '#ffb3a7' },
  { start: '#5b5f97', end: '#ffc145' },
  { start: '#0f6e56', end: '#5fc9f3' },
];

/** Colours for a project that nobody chose any for: the same for the same name, so that every server shows it alike. */
export function chooseProjectColors(name: string): ProjectColors {
  let hash = 0;
  for (let place = 0; place < name.length; place++) hash = (Math.imul(hash, 31) + name.charCodeAt(place)) >>> 0;
  return PROJECT_COLORS[hash % PROJECT_COLORS.length] as ProjectColors;
}
