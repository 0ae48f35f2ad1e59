import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERROR_DOCS_URL, formatErrorDocs } from './generate-error-docs.ts';

it('docs/errors.md is what the error table says', () => {
  expect(readFileSync(ERROR_DOCS_URL, 'utf8')).toBe(formatErrorDocs());
});
