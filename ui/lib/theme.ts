/** Light, dark, or as the system says. */
import { createStored, useStored } from './storage.ts';

/** See {@link useTheme}. */
export type Theme = 'light' | 'dark' | 'system';

const THEMES: readonly Theme[] = ['light', 'dark', 'system'];

// public/theme.js reads the same key before the first paint.
const theme = createStored<Theme>('theme', 'system', (value) => THEMES.find((known) => known === value));

theme.subscribe(() => {
  document.documentElement.dataset['theme'] = theme.get();
});

/** The theme that was chosen. */
export function useTheme(): Theme {
  return useStored(theme);
}

/** Shows the page in a theme, now and from now on. */
export function setTheme(next: Theme): void {
  theme.set(next);
}
