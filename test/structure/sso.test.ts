/** The settings that docs/sso.md gives for each service are settings with which a server starts. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { deriveConfig } from '#config/load';

const DOCUMENT = readFileSync(resolve(import.meta.dirname, '../../docs/sso.md'), 'utf8');

/** Blocks of settings by their headings; the first block belongs to all of them. */
const [BASE = '', ...SERVICES] = DOCUMENT.split(/^## /m);

/** The variables of a block, without the quotes of the shell. */
function settingsOf(section: string): Record<string, string> {
  const lines = [...section.matchAll(/^export (\w+)=(?:'([^']*)'|"([^"]*)"|(.*))$/gm)];
  return Object.fromEntries(lines.map(([, name = '', ...values]) => [name, values.find((value) => value) ?? '']));
}

it.each(SERVICES.map((section) => [section.split('\n', 1)[0], section] as const))('%s', (_heading, section) => {
  const base = { ...settingsOf(BASE), SERVICE_SECRET: 'correct-horse-battery-staple-0123' };
  const { config, problems, warnings } = deriveConfig({ ...base, ...settingsOf(section) });
  expect(problems).toEqual([]);
  expect(warnings.filter((warning) => /OAUTH2|LDAP/.test(warning))).toEqual([]);
  expect((config?.auth.providers.length ?? 0) + (config?.auth.ldap === null ? 0 : 1)).toBe(1);
});
