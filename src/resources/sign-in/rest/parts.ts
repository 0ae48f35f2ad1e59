/** What the routes of signing in share. */
import type { AuthServices } from '#credentials/port';
import { tokensOf } from '#credentials/sign-in-tokens';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../../slice.ts';
import type { SignInCommands } from '../commands.ts';

/** What signing in works with. */
export interface SignInParts extends Pick<Services, 'auth' | 'readPrimary'> {
  readonly commands: CommandCalls<SignInCommands>;
}

/** Whose a refresh token is or was. */
export async function userOfRefreshToken(auth: AuthServices, text: string): Promise<number | undefined> {
  const token = await tokensOf(auth).read(text);
  return token?.kind === 'RefreshToken' && token.subject !== undefined ? Number(token.subject) : undefined;
}
