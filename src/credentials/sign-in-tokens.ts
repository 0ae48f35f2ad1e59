/** The tokens that a browser is given when it signs in. */
import type { AuthServices } from './port.ts';
import type { TokenTimes } from './sign-ins.ts';
import type { Tokens } from './tokens.ts';

/** The texts, and how long they are good. */
export interface GivenTokens {
  readonly access: string;
  readonly refresh: string;
  readonly times: TokenTimes;
}

/** New tokens of an account, and what is stored of them. A refresh token says whose it is, also when nothing is stored of it. */
export async function issueTokens(auth: Pick<AuthServices, 'tokens'>, userRowId: number) {
  const tokens = tokensOf(auth);
  const access = await tokens.issue('AccessToken');
  const refresh = await tokens.issue('RefreshToken', String(userRowId));
  return {
    texts: { access: access.text, refresh: refresh.text },
    hashes: { accessHash: access.hash, refreshHash: refresh.hash },
  };
}

/** What tokens are signed with, while authentication is on. */
export function tokensOf({ tokens }: Pick<AuthServices, 'tokens'>): Tokens {
  if (tokens === null) throw new Error('There is no secret to sign tokens with.');
  return tokens;
}
