import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { adaptStyles } from './graphiql-styles.ts';

const ORIGINAL = readFileSync(new URL('../node_modules/graphiql/dist/style.css', import.meta.url), 'utf8');

it('leaves no colour by parts, no name of the product’s tokens and no font in the style sheet of GraphiQL', () => {
  const adapted = adaptStyles(ORIGINAL);
  expect(adapted.match(/hsla?\(|@font-face|--color-|--font-family|Roboto|Fira/g)).toBeNull();
  expect(adapted.length).toBeGreaterThan(40_000);
});

it('keeps how strong a colour is', () => {
  expect(
    adaptStyles('a { color: hsla(var(--color-neutral), var(--alpha-secondary)); fill: hsl(var(--color-base)) }'),
  ).toBe(
    'a { color: color-mix(in srgb, var(--graphiql-neutral) calc(var(--alpha-secondary) * 100%), transparent); fill: var(--graphiql-base) }',
  );
});
