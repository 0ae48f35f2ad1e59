/** GraphiQL's style sheet made to take the product's colours and fonts. */
import type { Plugin } from 'vite';

/** Has the build read the style sheet so. */
export function graphiqlStyles(): Plugin {
  return {
    name: 'graphiql-styles',
    enforce: 'pre',
    transform(code, id) {
      return /graphiql\/dist\/style\.css/.test(id) ? { code: adaptStyles(code), map: null } : null;
    },
  };
}

/**
 * Its colours are lists of hue, saturation and lightness under names that the product has too: here they become whole colours,
 * `--graphiql-primary` for `--color-primary`, which `explorer-page.css` defines. Its fonts, nine tenths of the file, are left out.
 */
export function adaptStyles(css: string): string {
  return css
    .replaceAll(/@font-face\s*\{[^}]*\}/g, '')
    .replaceAll(/--color-\w+:[^;}]*;?/g, '')
    .replaceAll(/--font-family(?:-mono)?:[^;}]*;?/g, '')
    .replaceAll(/hsl\(var\(--color-(\w+)\)\)/g, 'var(--graphiql-$1)')
    .replaceAll(
      /hsla\(var\(--color-(\w+)\),\s*(var\([\w-]+\)|[\d.]+)\)/g,
      'color-mix(in srgb, var(--graphiql-$1) calc($2 * 100%), transparent)',
    )
    .replaceAll(/var\(--font-family\)/g, 'var(--font-sans)')
    .replaceAll(/var\(--font-family-mono\)/g, 'var(--font-mono)')
    .replaceAll(/--alpha-tertiary:[^;}]*/g, '--alpha-tertiary: 0.72');
}
