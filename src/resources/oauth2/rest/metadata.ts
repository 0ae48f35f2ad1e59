/** What applications can find out about this server by themselves. */
import { z } from 'zod';
import { defineRoute, type Route } from '#api/rest/route';
import { issuerOf, RESOURCE_METADATA_PATH } from '#credentials/issuer';
import { oauth2Policy } from '../policy.ts';
import { describeFlow } from './describe-flow.ts';
import { assertOffered, type Oauth2Parts } from './parts.ts';

const JSON_REPLY = { contentType: 'application/json', schema: z.looseObject({}) } as const;

/** The routes; below a root path also those that have it at their end. @see https://www.rfc-editor.org/rfc/rfc8414#section-3.1 */
export function metadataRoutes({ auth }: Pick<Oauth2Parts, 'auth'>): readonly Route[] {
  const rootPath = (auth as Oauth2Parts['auth'] | undefined)?.rootPath ?? '';
  const ends = rootPath === '' ? [''] : ['', rootPath];
  const aboutServer = (path: string, operationId: string) =>
    defineRoute({
      method: 'GET',
      path,
      operationId,
      summary: 'Describe how applications are let in',
      tag: 'applications',
      access: oauth2Policy.readMetadata,
      limit: () => assertOffered(auth),
      replies: { 200: { ...JSON_REPLY, description: 'The metadata of RFC 8414.' } },
      handler: async ({ header }) => ({ body: describeServer(auth, issuerOf(auth, header('host'))) }),
    });
  const aboutResource = (end: string, resourcePath: string, operationId: string) =>
    defineRoute({
      method: 'GET',
      path: `${RESOURCE_METADATA_PATH}${end}${resourcePath}`,
      operationId,
      summary: 'Describe what tokens are good for',
      tag: 'applications',
      access: oauth2Policy.readMetadata,
      replies: { 200: { ...JSON_REPLY, description: 'The metadata of RFC 9728.' } },
      handler: async ({ header }) => {
        const issuer = issuerOf(auth, header('host'));
        const servers = auth.config.applications.areEnabled ? { authorization_servers: [issuer] } : {};
        return { body: { resource: `${issuer}${resourcePath}`, ...servers, bearer_methods_supported: ['header'] } };
      },
    });
  return [
    ...ends.flatMap((end, index) => {
      const suffix = index === 0 ? '' : 'BelowRoot';
      return [
        aboutServer(`/.well-known/oauth-authorization-server${end}`, `getAuthorizationServer${suffix}`),
        aboutServer(`/.well-known/openid-configuration${end}`, `getOpenidConfiguration${suffix}`),
        aboutResource(end, '', `getProtectedResource${suffix}`),
        aboutResource(end, '/mcp', `getProtectedAgentTools${suffix}`),
      ];
    }),
    defineRoute({
      method: 'GET',
      path: '/auth.md',
      operationId: 'explainAuthentication',
      summary: 'Explain to agents how they get in',
      tag: 'applications',
      access: oauth2Policy.readMetadata,
      replies: { 200: { contentType: 'text/markdown', description: 'The explanation.' } },
      handler: async ({ header }) => ({
        contentType: 'text/markdown; charset=utf-8',
        body: describeFlow(auth.config, issuerOf(auth, header('host'))),
      }),
    }),
  ];
}

function describeServer({ config }: Oauth2Parts['auth'], issuer: string): object {
  const registers = config.applications.registration !== 'disabled';
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth2/authorize`,
    token_endpoint: `${issuer}/oauth2/token`,
    revocation_endpoint: `${issuer}/oauth2/revoke`,
    ...(registers && { registration_endpoint: `${issuer}/oauth2/register` }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    service_documentation: `${issuer}/auth.md`,
  };
}
