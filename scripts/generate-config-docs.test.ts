import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { variables } from '#config/env';
import { PREFIX, type Variable } from '#config/variable';
import { CONFIG_DOCS_URL, formatConfigDocs } from './generate-config-docs.ts';

it('docs/configuration.md is what the table of variables says', () => {
  expect(readFileSync(CONFIG_DOCS_URL, 'utf8')).toBe(formatConfigDocs());
});

it('every variable has one row, six cells wide', () => {
  const rows = formatConfigDocs().split('\n');
  for (const variable of Object.values<Variable<unknown>>(variables)) {
    const own = rows.filter((row) => row.startsWith(`| \`${PREFIX}${variable.name}\` |`));
    expect(own).toHaveLength(1);
    expect(own[0]?.split('|')).toHaveLength(8);
  }
});
