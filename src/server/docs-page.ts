/** The OpenAPI document, and a page that shows it; nothing on the page comes from another host. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AppError } from '#base/errors';
import type { OpenApiDocument } from '#api/rest/openapi';
import { defineRoute, type Route } from '#api/rest/route';
import { servicePolicy } from './policy.ts';

/** Addresses are relative, so that they hold below any root path. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cairn API</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="api"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
`;

const START_SCRIPT =
  "SwaggerUIBundle({ url: 'openapi.json', dom_id: '#api', validatorUrl: null, defaultModelsExpandDepth: 0 });\n";

/** Swagger UI styles its elements inline and draws its icons from `data:` addresses. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
]);

/** `/openapi.json` with that document, and `/docs`. */
export function docsRoutes(document: () => OpenApiDocument): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      operationId: 'getOpenApi',
      summary: 'Get this document',
      tag: 'service',
      access: servicePolicy.readOpenApi,
      replies: { 200: { description: 'OpenAPI 3.1.', contentType: 'application/json', schema: z.looseObject({}) } },
      handler: async () => ({ body: document() }),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs',
      operationId: 'getDocsPage',
      summary: 'View this document as a web page',
      tag: 'service',
      access: servicePolicy.openDocs,
      replies: { 200: { description: 'The page.', contentType: 'text/html' } },
      handler: async () => ({
        contentType: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': PAGE_POLICY },
        body: PAGE,
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/docs/{file}',
      operationId: 'getDocsFile',
      summary: 'Get a file of the page',
      tag: 'service',
      access: servicePolicy.openDocs,
      params: z.object({ file: z.string() }),
      replies: {
        200: { description: 'The file.', contentType: [...CONTENT_TYPES.values()] },
        404: { description: 'There is no such file.', contentType: 'text/plain' },
      },
      handler: async ({ params: { file } }) => {
        if (file === 'start.js') return { contentType: 'text/javascript; charset=utf-8', body: START_SCRIPT };
        const contentType = CONTENT_TYPES.get(file);
        if (contentType === undefined) throw new AppError('not_found', 'Not Found');
        return { contentType, body: await readFile(fileUrl(file)) };
      },
    }),
  ];
}

/** In a checkout the files lie in the package that they come from; the build copies them into dist/. */
function fileUrl(file: string): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL(import.meta.resolve(`swagger-ui-dist/${file}`))
    : new URL(`./docs-ui/${file}`, import.meta.url);
}
