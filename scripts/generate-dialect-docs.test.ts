import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DIALECT_DOCS_URL, formatDialectDocs } from './generate-dialect-docs.ts';

it('docs/dialects.md is what the files of the dialects say', () => {
  expect(readFileSync(DIALECT_DOCS_URL, 'utf8')).toBe(formatDialectDocs());
});
