/** Applications that make themselves known. @see https://www.rfc-editor.org/rfc/rfc7591 */
import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { defineRoute, type Route } from '#api/rest/route';
import { AppError } from '#base/errors';
import { guardCaller } from '#credentials/acting-callers';
import { networkOf } from '#credentials/rate-limits';
import { redirectKindOf } from '#domain/redirect-uri';
import { oauth2Policy } from '../policy.ts';
import { isAllowedRedirect } from './authorization.ts';
import { answerOauth, assertOffered, OauthError, type Oauth2Parts } from './parts.ts';

/** The route. */
export function registerRoute({ auth, commands }: Oauth2Parts): Route {
  return defineRoute({
    method: 'POST',
    path: '/oauth2/register',
    operationId: 'registerApplication',
    summary: 'Register an application',
    description: 'Fields other than these are ignored. The application gets no secret.',
    tag: 'applications',
    access: oauth2Policy.register,
    limit: (address) => {
      assertOffered(auth);
      if (auth.config.applications.registration === 'disabled') {
        throw new AppError('permission_denied', 'This server registers no applications.');
      }
      auth.rateLimits.countRegistration(address, auth.config.applications.registrationsPerHour);
    },
    body: z.looseObject({ client_name: z.unknown().optional(), redirect_uris: z.unknown().optional() }),
    replies: {
      201: {
        contentType: 'application/json',
        description: 'The application.',
        schema: z.looseObject({ client_id: z.string(), redirect_uris: z.array(z.string()) }),
      },
      400: {
        contentType: 'application/json',
        description: 'Refused, for the reason in `error`.',
        schema: z.object({ error: z.string(), error_description: z.string().optional() }),
      },
      403: { contentType: 'text/plain', description: 'The server registers no applications.' },
      429: { contentType: 'text/plain', description: 'Too many; `Retry-After` says when to try again.' },
    },
    handler: ({ caller, body }) =>
      answerOauth(async () => {
        const redirectUris = readRedirects(body.redirect_uris, auth.config.applications);
        const name = readName(body.client_name);
        const clientId = `px_dcr_${randomText(22)}`;
        const from = caller.address === undefined ? '' : networkOf(caller.address);
        await commands.register(guardCaller(caller), { clientId, name, redirectUris, from });
        return {
          status: 201,
          body: {
            client_id: clientId,
            client_id_issued_at: Math.floor(Date.now() / 1000),
            client_name: name,
            redirect_uris: redirectUris,
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            token_endpoint_auth_method: 'none',
          },
        };
      }),
  });
}

function readRedirects(given: unknown, settings: Oauth2Parts['auth']['config']['applications']): readonly string[] {
  const parsed = z.array(z.string()).min(1).max(MAX_REDIRECTS).safeParse(given);
  if (!parsed.success) {
    throw new OauthError('invalid_redirect_uri', `redirect_uris is a list of 1 to ${MAX_REDIRECTS} addresses.`);
  }
  for (const address of parsed.data) {
    const kind = redirectKindOf(address);
    if (kind === null) {
      const allowed = 'http on 127.0.0.1, [::1] or localhost, https, or a scheme of the application';
      throw new OauthError('invalid_redirect_uri', `An address is not taken: use ${allowed}, without a fragment.`);
    }
    if (kind === 'https' && settings.registration === 'local_only') {
      throw new OauthError(
        'invalid_redirect_uri',
        'This server registers only applications on the machine of the person.',
      );
    }
    if (!isAllowedRedirect(address, settings)) {
      throw new OauthError('invalid_redirect_uri', 'This server sends nobody to the host of this address.');
    }
  }
  return [...new Set(parsed.data)];
}

/** What people are shown: without characters that hide in it or turn it around. */
function readName(given: unknown): string {
  if (given === undefined || given === null) return 'Unnamed application';
  const name = typeof given === 'string' ? given.trim() : '';
  if (name === '' || name.length > MAX_NAME || UNPRINTABLE.test(name)) {
    throw new OauthError('invalid_client_metadata', `client_name is a text of 1 to ${MAX_NAME} printable characters.`);
  }
  return name;
}

function randomText(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const MAX_REDIRECTS = 10;
const MAX_NAME = 100;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
