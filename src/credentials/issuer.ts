/** The address by which applications know this server. */
import { AppError } from '#base/errors';
import type { AuthServices } from './port.ts';

/** What the address is made of. */
export type IssuerParts = Pick<AuthServices, 'rootPath' | 'rootUrl'> & {
  readonly config: { readonly applications: Pick<AuthServices['config']['applications'], 'isEncrypted'> };
};

/**
 * The configured address, or where there is none the host that the request names: whoever chooses that header gets an answer about it, and
 * nobody else does.
 * @param host of the header
 * @throws AppError `invalid_argument` for a host that is none
 */
export function issuerOf({ rootPath, rootUrl, config }: IssuerParts, host: string | undefined): string {
  if (rootUrl !== null) return rootUrl;
  if (host === undefined || !HOST.test(host)) {
    throw new AppError('invalid_argument', 'The header Host is missing or does not name a host.');
  }
  return `${config.applications.isEncrypted ? 'https' : 'http'}://${host.toLowerCase()}${rootPath}`;
}

/** Where the description of what tokens are good for stands, below {@link issuerOf}. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

const HOST = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_.-]{1,253})(?::\d{1,5})?$/i;
