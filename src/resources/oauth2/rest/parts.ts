/** What the routes of applications share. */
import type { RouteReply } from '#api/rest/route';
import { AppError } from '#base/errors';
import type { AuthServices } from '#credentials/port';
import type { Audience } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../../slice.ts';
import type { Oauth2Commands } from '../commands.ts';

/** What they work with. */
export interface Oauth2Parts extends Pick<Services, 'auth' | 'readPrimary'> {
  readonly commands: CommandCalls<Oauth2Commands>;
}

/** A refusal in the words of the protocol. @see https://www.rfc-editor.org/rfc/rfc6749#section-5.2 */
export class OauthError extends Error {
  override readonly name = 'OauthError';
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

/** Answers, refusals included, in a form that nobody keeps. */
export async function answerOauth(run: () => Promise<Pick<RouteReply, 'status' | 'body'>>): Promise<RouteReply> {
  const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
  try {
    return { ...(await run()), headers };
  } catch (error) {
    if (!(error instanceof OauthError)) throw error;
    return { status: 400, headers, body: { error: error.error, error_description: error.message } };
  }
}

/** Knows nothing of these paths where people cannot let applications in. @throws AppError `not_found` */
export function assertOffered({ config }: AuthServices): void {
  if (!config.applications.areEnabled) throw new AppError('not_found', 'This server lets no applications in.');
}

/**
 * What tokens are asked for; `null` where nothing is said of it.
 * @throws OauthError `invalid_target`
 */
export function readAudience(resource: string | undefined, issuer: string): Audience | null {
  if (resource === undefined) return null;
  const named = resource.replace(/\/$/, '');
  if (named === issuer) return 'server';
  if (named === `${issuer}/mcp`) return 'mcp';
  throw new OauthError('invalid_target', `The resource is not ${issuer} or ${issuer}/mcp.`);
}
