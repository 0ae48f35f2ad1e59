/**
 * The paths that applications of any origin use. They ask for no cookie, and what they answer depends on none, so that any page may read it;
 * what a person decides is not among them.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { issuerOf, type IssuerParts, RESOURCE_METADATA_PATH } from '#credentials/issuer';

/** Whether pages of every origin may send requests to the path of the address, and read the answers. */
export function isForAnyOrigin(url: string): boolean {
  return FOR_ANY_ORIGIN.test(pathOf(url));
}

/** Whether pages of every site may lead there: what is public, and the question to a person, which changes nothing. */
export function isMetFromAnySite(url: string): boolean {
  return isForAnyOrigin(url) || pathOf(url) === '/oauth2/authorize';
}

/** Lets pages of every origin read those answers, without cookies. Add it before other rules for origins. */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isForAnyOrigin(request.url)) return undefined;
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after, www-authenticate',
    });
    const { 'access-control-request-method': wanted } = request.headers;
    if (request.method !== 'OPTIONS' || wanted === undefined) return undefined;
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST',
        'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
        'access-control-max-age': '600',
      })
      .send();
  });
}

/** Tells who is asked for credentials where to read how to get some. @see https://www.rfc-editor.org/rfc/rfc9728#section-5.1 */
export function nameMetadata(app: FastifyInstance, parts: IssuerParts): void {
  app.addHook('onSend', async (request, reply) => {
    const challenge = reply.getHeader('www-authenticate');
    if (reply.statusCode !== 401 || typeof challenge !== 'string') return;
    const address = addressOfMetadata(request, parts);
    if (address !== undefined) reply.header('www-authenticate', `${challenge}, resource_metadata="${address}"`);
  });
}

function addressOfMetadata({ url, headers }: FastifyRequest, parts: IssuerParts): string | undefined {
  try {
    const end = /^\/mcp(?:\/|$)/.test(pathOf(url)) ? '/mcp' : '';
    return `${issuerOf(parts, headers.host)}${RESOURCE_METADATA_PATH}${end}`;
  } catch {
    return undefined; // a host that is none has no address either
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

const FOR_ANY_ORIGIN = /^\/(?:\.well-known\/.*|auth\.md|oauth2\/(?:token|revoke|register)|mcp(?:\/.*)?)$/;
