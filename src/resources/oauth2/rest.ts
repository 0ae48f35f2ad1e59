import type { Route } from '#api/rest/route';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../slice.ts';
import type { Oauth2Commands } from './commands.ts';
import { authorizeRoutes } from './rest/authorize.ts';
import { metadataRoutes } from './rest/metadata.ts';
import type { Oauth2Parts } from './rest/parts.ts';
import { registerRoute } from './rest/register.ts';
import { tokenRoutes } from './rest/token.ts';

/** Routes by which applications are let in. */
export function oauth2Routes(
  { auth, readPrimary }: Pick<Services, 'auth' | 'readPrimary'>,
  commands: CommandCalls<Oauth2Commands>,
): readonly Route[] {
  const parts: Oauth2Parts = { auth, readPrimary, commands };
  return [...metadataRoutes(parts), ...authorizeRoutes(parts), ...tokenRoutes(parts), registerRoute(parts)];
}
