import { z } from 'zod';
import { PLAIN_LINE } from '#api/rest/text-patterns';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { UnprocessableError } from '#api/rest/unprocessable';
import { AppError } from '#base/errors';
import { formatGlobalId, parseGlobalId } from '#base/global-id';
import { MAX_EMAIL_LENGTH } from '#domain/account';
import type { AuthServices, StoredPassword } from '#credentials/port';
import { unusablePassword } from '#credentials/unusable-password';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../slice.ts';
import type { UserCommands } from './commands.ts';
import { assertPasswordsAreEnabled, findViewer, sendWelcome, toStoredPassword } from './operations.ts';
import { userPolicy } from './policy.ts';
import { presentAccount } from './present.ts';
import { listAccounts } from './queries.ts';

/** More than the largest organisations have, and still one small answer. */
const MAX_PAGE = 10_000;

const USER = z
  .object({
    id: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    email: z.string().describe('Empty for an account without one.'),
    username: z.string(),
    role: z.enum(['SYSTEM', 'ADMIN', 'MEMBER', 'VIEWER']),
    auth_method: z.enum(['LOCAL', 'OAUTH2', 'LDAP']),
    password_needs_reset: z.boolean().optional().describe('Of accounts with a password.'),
    oauth2_client_id: z.string().optional(),
    oauth2_user_id: z.string().optional(),
    profile_picture_url: z.string().optional(),
  })
  .meta({ id: 'User' });

const PROVIDER_ID = z.string().min(1).max(512).nullish();

const NEW_USER = z
  .object({
    user: z.object({
      auth_method: z.enum(['LOCAL', 'OAUTH2', 'LDAP']),
      email: z
        .string()
        .meta({ format: 'email', maxLength: MAX_EMAIL_LENGTH })
        .describe('Kept in lower case, without white space around it.'),
      username: z.string().meta({ pattern: PLAIN_LINE, maxLength: 200 }),
      role: z.enum(['SYSTEM', 'ADMIN', 'MEMBER', 'VIEWER']).meta({ enum: ['ADMIN', 'MEMBER', 'VIEWER'] }),
      password: z
        .string()
        .meta({ pattern: '^[!-~]{4,1024}$' })
        .nullish()
        .describe('Of `LOCAL` users, who must change it when they sign in. Without one, they set it by a reset mail.'),
      oauth2_client_id: PROVIDER_ID,
      oauth2_user_id: PROVIDER_ID,
    }),
    send_welcome_email: z.boolean().default(true).describe('Only sent where mail is configured.'),
  })
  .meta({ id: 'NewUser' });

const ONE_USER = z.object({ data: USER });

/** Routes of accounts. They work while authentication is off, too, so that accounts can be prepared. */
export function userRoutes(
  services: Pick<Services, 'read' | 'readPrimary' | 'auth'>,
  commands: CommandCalls<UserCommands>,
): readonly Route[] {
  return [viewerRoute(services), listRoute(services), createRoute(services, commands), deleteRoute(commands)];
}

function viewerRoute(services: Pick<Services, 'readPrimary'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/user',
    operationId: 'getViewer',
    summary: 'Get the user who sends the request',
    tag: 'users',
    access: userPolicy.read,
    replies: {
      200: {
        description: 'The user. Keys of the system and the administrator’s secret act for the system’s user.',
        contentType: 'application/json',
        schema: z.object({ data: z.union([USER, z.object({ auth_method: z.literal('ANONYMOUS') })]) }),
      },
    },
    handler: async ({ caller }) => {
      if (caller.kind === 'anonymous') return { body: { data: { auth_method: 'ANONYMOUS' } } };
      const account = await findViewer(caller, services);
      if (account === undefined) throw new AppError('unauthenticated', 'The user of these credentials was deleted.');
      return { body: { data: presentAccount(account) } };
    },
  });
}

function listRoute({ read }: Pick<Services, 'read'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/v1/users',
    operationId: 'listUsers',
    summary: 'List users, newest first',
    tag: 'users',
    access: userPolicy.list,
    query: z.object(pageFields(100, MAX_PAGE, idPattern('User'))),
    replies: {
      200: {
        description: 'A page of users, with that of the system.',
        contentType: 'application/json',
        schema: z.object({ data: z.array(USER), next_cursor: z.string().nullable() }),
      },
    },
    handler: async ({ caller, query: { cursor, limit } }) => {
      const fromRowId = cursor === undefined ? null : parseGlobalId('User', cursor);
      if (fromRowId === undefined) {
        throw new UnprocessableError('Invalid cursor: use the next_cursor of the previous page.');
      }
      const { accounts, nextRowId } = await listAccounts(read(caller), { limit, fromRowId });
      const next_cursor = nextRowId === null ? null : formatGlobalId('User', nextRowId);
      return { body: { data: accounts.map(presentAccount), next_cursor } };
    },
  });
}

function createRoute({ auth }: Pick<Services, 'auth'>, commands: CommandCalls<UserCommands>): Route {
  return defineRoute({
    method: 'POST',
    path: '/v1/users',
    operationId: 'createUser',
    summary: 'Create a user',
    tag: 'users',
    access: userPolicy.create,
    hasSecretBody: true,
    body: NEW_USER,
    replies: {
      201: { description: 'The user was created.', contentType: 'application/json', schema: ONE_USER },
      400: { description: 'The role is `SYSTEM`.', contentType: 'text/plain' },
      403: { description: 'Users with a password are disabled.', contentType: 'text/plain' },
      409: { description: 'Another user has the username or the e-mail address.', contentType: 'text/plain' },
    },
    handler: async ({ caller, body: { user, send_welcome_email } }) => {
      const { role, password: _, ...rest } = user;
      if (role === 'SYSTEM') throw new AppError('invalid_argument', 'Cannot create users with SYSTEM role');
      const account = await orUnprocessable(async () =>
        commands.create(caller, {
          username: rest.username,
          email: rest.email,
          role,
          authMethod: rest.auth_method,
          password: await passwordOf(user, auth),
          ...(rest.auth_method === 'OAUTH2' && {
            oauth2ClientId: rest.oauth2_client_id ?? null,
            oauth2UserId: rest.oauth2_user_id ?? null,
          }),
        }),
      );
      if (send_welcome_email) sendWelcome(auth, account);
      return { status: 201, body: { data: presentAccount(account) } };
    },
  });
}

function deleteRoute(commands: CommandCalls<UserCommands>): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/v1/users/{user_id}',
    operationId: 'deleteUser',
    summary: 'Delete a user with their keys and sign-ins',
    tag: 'users',
    access: userPolicy.delete,
    params: z.object({ user_id: z.string().meta({ pattern: idPattern('User'), description: 'Id of a user.' }) }),
    replies: {
      204: { description: 'The user was deleted.' },
      403: {
        description: 'It is the built-in administrator, or the user of the system.',
        contentType: 'text/plain',
      },
      404: { description: 'There is no such user.', contentType: 'text/plain' },
      409: { description: 'It is the last administrator.', contentType: 'text/plain' },
    },
    handler: async ({ caller, params: { user_id } }) => {
      const rowId = parseGlobalId('User', user_id);
      if (rowId === undefined) throw new UnprocessableError(`Invalid user id ${user_id}.`);
      await commands.delete(caller, rowId);
      return { status: 204, body: undefined };
    },
  });
}

async function passwordOf(
  { auth_method, password }: z.output<typeof NEW_USER>['user'],
  auth: AuthServices,
): Promise<StoredPassword | null> {
  if (auth_method !== 'LOCAL') return null;
  assertPasswordsAreEnabled(auth);
  return password == null ? unusablePassword() : toStoredPassword(auth, password);
}

/** What a name, an address or a password is refused for is told as other faults of a body are. */
async function orUnprocessable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_argument') {
      throw new UnprocessableError(error.message, error);
    }
    throw error;
  }
}
