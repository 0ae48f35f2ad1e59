/** The providers of a server, and where they send people back to. */
import { AppError } from '#base/errors';
import type { Logger } from '#base/log';
import type { ProviderConfig } from '#config/provider-config';
import type { ProviderRefusal } from '#domain/provider-sign-in';
import { IdentityProvider, issuerOf } from './identity-provider.ts';

/** What they are made of. */
export interface ProviderOptions {
  readonly providers: readonly ProviderConfig[];
  readonly rootPath: string;
  readonly rootUrl: string | null;
  /** Whether this server itself speaks TLS. */
  readonly isTls: boolean;
  readonly log: Logger;
}

/** See above. */
export class IdentityProviders {
  readonly #options: ProviderOptions;
  readonly #byName: ReadonlyMap<string, IdentityProvider>;

  constructor(options: ProviderOptions) {
    this.#options = options;
    const issuers = new Set(options.providers.map(issuerOf));
    this.#byName = new Map(options.providers.map((config) => [config.name, new IdentityProvider(config, issuers)]));
  }

  /** The provider of a name, as paths have it. */
  find(name: string): IdentityProvider | undefined {
    return this.#byName.get(name);
  }

  /** Whether no other provider has the same client id, which then names the provider. */
  isOnlyWithClientOf({ clientId }: ProviderConfig): boolean {
    return this.#options.providers.filter((other) => other.clientId === clientId).length === 1;
  }

  /**
   * Where a provider sends people back to: the address that is configured, or else the host that the browser asked, at which it keeps the
   * cookies. A provider knows its addresses, so a host that somebody made up leads nowhere.
   * @throws AppError `invalid_argument`
   */
  redirectUri({ name }: ProviderConfig, host: string | undefined): string {
    const { rootUrl, rootPath, isTls } = this.#options;
    const path = `/oauth2/${name}/tokens`;
    if (rootUrl !== null) return rootUrl + path;
    const origin = host !== undefined && HOST.test(host) ? URL.parse(`${isTls ? 'https' : 'http'}://${host}`) : null;
    if (origin === null) throw new AppError('invalid_argument', 'The header Host is missing or malformed.');
    return origin.origin + rootPath + path;
  }

  /** Tells the operator why somebody could not sign in; of addresses that anybody can make up not as a warning. */
  noteRefusal(provider: string, { code, message }: ProviderRefusal): void {
    const level = code === 'unknown_idp' || code === 'unsafe_return_url' ? 'info' : 'warn';
    this.#options.log[level]('A sign-in with a provider was refused.', { provider, code, reason: message });
  }

  /** Tells the operator of something that does not stop a sign-in. */
  warn(provider: string, message: string): void {
    this.#options.log.warn(message, { provider });
  }
}

/** A name or an address, and a port. */
const HOST = /^[\w.:[\]-]{1,300}$/;
