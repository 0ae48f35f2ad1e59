import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatOpenApi, OPENAPI_URL } from './generate-openapi.ts';

it('docs/openapi.json is what the route table says', async () => {
  expect(readFileSync(OPENAPI_URL, 'utf8')).toBe(await formatOpenApi());
});
