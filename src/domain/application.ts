/** Applications that people let act in their name. */
import { AppError } from '#base/errors';
import type { Audience, Caller } from './caller.ts';

/** An application. It holds no secret: anybody can call themselves by its id. */
export interface Application {
  readonly clientId: string;
  /** What it calls itself. */
  readonly name: string;
  readonly redirectUris: readonly string[];
}

/** What an application holds that a person let in, without its tokens. */
export interface Grant {
  /** Of the sign-in that it is. */
  readonly rowId: number;
  readonly userRowId: number;
  readonly clientId: string;
  /** The name that the person saw. */
  readonly clientName: string;
  readonly createdAtUs: number;
  readonly expiresAtUs: number;
  /** When it was given tokens last. */
  readonly lastUsedAtUs: number;
}

/** What a person lets an application do. */
export interface Authorization {
  readonly application: Application;
  readonly redirectUri: string;
  /** SHA-256 of what the application alone knows, base64url. */
  readonly challenge: string;
  readonly audience: Audience;
}

/** The command line of this server, which is there without being registered. Its id is the one of Phoenix. */
export const COMMAND_LINE: Application = {
  clientId: 'phoenix-cli',
  name: 'Command line',
  redirectUris: ['http://127.0.0.1/callback', 'http://localhost/callback', 'http://[::1]/callback'],
};

/** Whether an application belongs to this server. */
export function isFirstParty(clientId: string): boolean {
  return clientId === COMMAND_LINE.clientId;
}

/** The same for a grant that is not there, and for one of somebody else. */
export const NO_GRANT = 'OAuth2 grant not found';

/**
 * Who lets applications in: a person with a browser. What was given to a program lets in no other one.
 * @returns the sign-in
 * @throws AppError `permission_denied`
 */
export function assertMayLetIn(caller: Caller): number {
  if (caller.kind === 'user' && caller.credential.kind === 'session') return caller.credential.sessionRowId;
  throw new AppError('permission_denied', 'Only people who signed in can let applications in.');
}
