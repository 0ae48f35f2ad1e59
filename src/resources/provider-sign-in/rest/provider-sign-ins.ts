/** Signing in with a provider, from the first request of a browser to its cookies. */
import { AppError } from '#base/errors';
import { guardCaller, personCaller } from '#credentials/acting-callers';
import { FlowCookies, newFlow, type ReturnedFlow } from '#credentials/oidc/flow';
import type { IdentityProvider } from '#credentials/oidc/identity-provider';
import { readIdentity } from '#credentials/oidc/read-identity';
import { type GivenTokens, issueTokens } from '#credentials/sign-in-tokens';
import { hashToken } from '#credentials/tokens';
import type { Caller } from '#domain/caller';
import { ProviderRefusal } from '#domain/provider-sign-in';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../../slice.ts';
import type { ProviderSignInCommands } from '../commands.ts';

/** What a browser brings back from a provider. */
export interface BroughtBack {
  /** What the provider put into the address. */
  readonly parameters: URLSearchParams;
  readonly cookie: string | undefined;
  readonly host: string | undefined;
}

/** See above. */
export class ProviderSignIns {
  readonly #auth: Services['auth'];
  readonly #commands: CommandCalls<ProviderSignInCommands>;

  constructor(auth: Services['auth'], commands: CommandCalls<ProviderSignInCommands>) {
    this.#auth = auth;
    this.#commands = commands;
  }

  /** The provider of a name. @throws ProviderRefusal `unknown_idp` */
  find(name: string): IdentityProvider {
    const provider = this.#auth.providers.find(name);
    if (provider === undefined) throw new ProviderRefusal('unknown_idp', 'There is no provider of this name.');
    return provider;
  }

  /** The cookies of sign-ins that are under way. */
  get cookies(): FlowCookies {
    const { secret, signIn } = this.#auth.config;
    if (secret === null) throw new Error('There is no secret to sign cookies with.');
    return new FlowCookies(secret, signIn.cookies);
  }

  /** Where a browser goes on, and the cookies that it keeps meanwhile. @throws ProviderRefusal */
  async begin(
    provider: IdentityProvider,
    host: string | undefined,
    returnPath: string | null,
  ): Promise<{ readonly location: string; readonly cookies: readonly string[] }> {
    const { config } = provider;
    const flow = newFlow({ provider: config.name, returnPath }, config);
    const location = await provider.authorizationUrl(this.#auth.providers.redirectUri(config, host), flow);
    return { location, cookies: await this.cookies.set(flow) };
  }

  /** The sign-in that a browser comes back from, which it does once. @throws ProviderRefusal `invalid_state` */
  async take(provider: IdentityProvider, caller: Caller, { parameters, cookie }: BroughtBack): Promise<ReturnedFlow> {
    const flow = await this.cookies.read(cookie, provider.config.name, parameters.get('state') ?? undefined);
    const spent = { hash: hashToken(flow.state), expiresAtUs: flow.expiresAtUs };
    if (await this.#commands.spendState(guardCaller(caller), spent)) return flow;
    throw new ProviderRefusal('invalid_state', 'This answer of the provider was used before.');
  }

  /** The tokens of somebody whom the provider and the settings let in. @throws ProviderRefusal */
  async finish(
    provider: IdentityProvider,
    caller: Caller,
    flow: ReturnedFlow,
    { parameters, host }: BroughtBack,
  ): Promise<GivenTokens> {
    const { config } = provider;
    const address = new URL(this.#auth.providers.redirectUri(config, host));
    address.search = parameters.toString();
    const answer = await provider.redeem(address, flow);
    const { identity, role } = await readIdentity(config, answer, (text) =>
      this.#auth.providers.warn(config.name, text),
    ).catch(async (error: unknown) => {
      if (error instanceof ProviderRefusal && error.barred !== null)
        await this.#commands.bar(guardCaller(caller), error.barred);
      throw error;
    });
    const { clientId, allowsSignUp } = config;
    const isOnlyWithClient = this.#auth.providers.isOnlyWithClientOf(config);
    const arrival = { provider: { clientId, isOnlyWithClient, allowsSignUp }, identity, role };
    const admitted = await this.#commands.admit(guardCaller(caller), arrival);
    if ('refused' in admitted) throw new ProviderRefusal(admitted.refused, admitted.reason);
    const { texts, hashes } = await issueTokens(this.#auth, admitted.rowId);
    const { issuer, subject } = identity;
    const signIn = {
      userRowId: admitted.rowId,
      identity: { issuer, subject },
      tokens: hashes,
      times: this.#auth.config.signIn,
    };
    try {
      return { ...texts, times: await this.#commands.signIn(personCaller(admitted, caller), signIn) };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthenticated') throw error;
      throw new ProviderRefusal('sign_in_not_allowed', error.message);
    }
  }
}
