/** What the routes of signing in share. */
import type { AuthServices } from '#credentials/port';
import type { TokenTimes } from '#credentials/sign-ins';
import type { Tokens } from '#credentials/tokens';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../../slice.ts';
import type { SignInCommands } from '../commands.ts';

/** What signing in works with. */
export interface SignInParts extends Pick<Services, 'auth' | 'readPrimary'> {
  readonly commands: CommandCalls<SignInCommands>;
}

/** The tokens that a browser is given. */
export interface GivenTokens {
  readonly access: string;
  readonly refresh: string;
  readonly times: TokenTimes;
}

/** New tokens of an account, and what is stored of them. A refresh token says whose it is, also when nothing is stored of it. */
export async function issueTokens(auth: AuthServices, userRowId: number) {
  const tokens = tokensOf(auth);
  const access = await tokens.issue('AccessToken');
  const refresh = await tokens.issue('RefreshToken', String(userRowId));
  return {
    texts: { access: access.text, refresh: refresh.text },
    hashes: { accessHash: access.hash, refreshHash: refresh.hash },
  };
}

/** Whose a refresh token is or was. */
export async function userOfRefreshToken(auth: AuthServices, text: string): Promise<number | undefined> {
  const token = await tokensOf(auth).read(text);
  return token?.kind === 'RefreshToken' && token.subject !== undefined ? Number(token.subject) : undefined;
}

/** What tokens are signed with, while authentication is on. */
export function tokensOf({ tokens }: AuthServices): Tokens {
  if (tokens === null) throw new Error('There is no secret to sign tokens with.');
  return tokens;
}
