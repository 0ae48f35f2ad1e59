/** How the server proves to a provider which client it is. */
import type * as OpenidClient from 'openid-client';
import type { ClientAuth } from 'openid-client';
import type { ProviderConfig } from '#config/provider-config';

type Client = Pick<ProviderConfig, 'clientAuth' | 'clientId' | 'clientSecret'>;

/** The proof by the method that is configured. */
export function clientAuthOf(
  library: Pick<typeof OpenidClient, 'ClientSecretPost' | 'None'>,
  { clientAuth, clientId, clientSecret }: Client,
): ClientAuth {
  const secret = clientSecret?.reveal() ?? '';
  if (clientAuth === 'none') return library.None();
  if (clientAuth === 'client_secret_post') return library.ClientSecretPost(secret);
  const credentials = Buffer.from(`${formEncode(clientId)}:${formEncode(secret)}`).toString('base64');
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`);
}

/**
 * As a form has it. The library's own proof encodes dashes, dots and underscores, too, which is as right; but a provider that does not
 * decode, of which there are some, then never knows a secret with one of them.
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1
 */
function formEncode(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}
