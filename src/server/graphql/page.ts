/** The page that tries operations, GraphiQL, as the build put it beside the program; nothing on it comes from another host. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#base/errors';
import { declareAccess } from '#api/rest/access';
import { sendReply } from '#api/rest/reply';
import { operationPolicy, servicePolicy } from '../policy.ts';

const BUILT = fileURLToPath(
  import.meta.url.endsWith('.ts')
    ? new URL('../../../dist/graphiql', import.meta.url)
    : new URL('./graphiql', import.meta.url),
);

/** Its editor styles elements inline, and its fonts are in its style sheet. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'font-src data:',
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Adds the page for GET, and its files below it. */
export function registerGraphiql(scope: FastifyInstance, folder = BUILT): void {
  const html = readPage(folder);
  scope.get('/graphql', { config: { access: operationPolicy.openPage } }, async (_request, reply) => {
    if (html === undefined) throw new AppError('unavailable', NOT_BUILT);
    const headers = { 'content-security-policy': PAGE_POLICY };
    return sendReply(reply, { contentType: 'text/html; charset=utf-8', headers, body: html });
  });
  if (html === undefined) return;
  scope.register(async (files) => {
    declareAccess(files, servicePolicy.openPages);
    await files.register(fastifyStatic, {
      root: `${folder}/assets`,
      prefix: '/graphql/assets/',
      // One route for each file that is there: no path is ever joined.
      wildcard: false,
      globIgnore: ['**/*.br', '**/*.gz'],
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      setHeaders: (reply) => {
        // Names hold a digest of the contents.
        reply.header('cache-control', 'public, max-age=31536000, immutable');
        reply.header('vary', 'accept-encoding');
      },
    });
  });
}

const NOT_BUILT = 'The page is not built. Run `npm run build`, then restart the server. Send operations by POST.';

/** The page with addresses relative to where it stands, so that they hold below any root path. */
function readPage(folder: string): string | undefined {
  try {
    return readFileSync(`${folder}/index.html`, 'utf8').replaceAll('"./assets/', '"graphql/assets/');
  } catch {
    return undefined; // a checkout that was not built answers operations all the same
  }
}
