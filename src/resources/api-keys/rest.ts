import { z } from 'zod';
import { VISIBLE_LINE } from '#api/rest/text-patterns';
import { idPattern } from '#api/rest/id-pattern';
import { pageFields } from '#api/rest/query';
import { defineRoute, type Route } from '#api/rest/route';
import { orUnprocessable, pageOrInvalidCursor, UnprocessableError } from '#api/rest/unprocessable';
import { TIME } from '#api/rest/time';
import { type GlobalIdType, parseGlobalId } from '#base/global-id';
import { type ApiKeyInput, assertMayDeletePersonal, assertMayIssue, MAX_KEY_PROJECTS } from '#domain/api-key';
import type { Caller } from '#domain/caller';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../slice.ts';
import type { ApiKeyCommands } from './commands.ts';
import { issueApiKey, listOwnKeys } from './operations.ts';
import { apiKeyPolicy } from './policy.ts';
import { presentApiKey, presentOwnedApiKey } from './present.ts';
import { listPersonalKeys, listSystemKeys } from './queries.ts';

const MAX_PAGE = 1000;

const KEY_FIELDS = {
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  created_at: z.string(),
  expires_at: z.string().optional(),
  operations: z.enum(['read', 'ingest']).optional().describe('What alone the key can do.'),
  projects: z
    .array(z.object({ id: z.string(), name: z.string() }))
    .optional()
    .describe('The projects that alone the key reaches.'),
  last_used_at: z.string().optional().describe('To the minute.'),
};

const KEY = z.object(KEY_FIELDS).meta({ id: 'ApiKey' });

const NEW_KEY = z.object({ ...KEY_FIELDS, key: z.string().describe('Shown only here.') }).meta({ id: 'CreatedApiKey' });

const OWNED_KEY = z
  .object({ ...KEY_FIELDS, user: z.object({ id: z.string(), username: z.string(), email: z.string().optional() }) })
  .meta({ id: 'OwnedApiKey' });

const PROJECT_ID = z
  .string()
  .transform((text, context) => {
    const rowId = parseGlobalId('Project', text);
    if (rowId !== undefined) return rowId;
    context.addIssue({ code: 'custom', message: 'Input should be the id of a project' });
    return z.NEVER;
  })
  .meta({ type: 'string', pattern: idPattern('Project') });

const BODY = z.object({
  data: z
    .object({
      name: z.string().trim().min(1).meta({ pattern: VISIBLE_LINE, maxLength: 200 }),
      description: z.string().meta({ maxLength: 10_000 }).nullish(),
      expires_at: TIME.refine((timeUs) => timeUs > Date.now() * 1000, 'Input should be in the future')
        .describe('A time in the future; UTC where it names no offset.')
        .nullish(),
      operations: z
        .enum(['read', 'ingest'])
        .nullish()
        .describe('Limits the key to reading, or to sending telemetry. If absent, it can do what its owner can.'),
      project_ids: z
        .array(PROJECT_ID)
        .min(1)
        .max(MAX_KEY_PROJECTS)
        .nullish()
        .describe('Limits the key to these projects.'),
    })
    .meta({ id: 'ApiKeyData' }),
});

const idOf = (type: GlobalIdType) =>
  z.object({ api_key_id: z.string().meta({ pattern: idPattern(type), description: 'Id of an API key.' }) });

const LIST = { description: 'The keys, newest first.', contentType: 'application/json' };
const CREATED = {
  description: 'The key was created.',
  contentType: 'application/json',
  schema: z.object({ data: NEW_KEY }),
};
const NOT_FOUND = { description: 'There is no such key.', contentType: 'text/plain' };
const NO_PROJECT = { description: 'A project does not exist.', contentType: 'text/plain' };

type KeyServices = Pick<Services, 'readPrimary' | 'auth'>;

/** Routes of keys. */
export function apiKeyRoutes(services: KeyServices, commands: CommandCalls<ApiKeyCommands>): readonly Route[] {
  return [...personalRoutes(services, commands), ...systemRoutes(services, commands)];
}

function personalRoutes({ readPrimary, auth }: KeyServices, commands: CommandCalls<ApiKeyCommands>): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/user/api_keys',
      operationId: 'listOwnApiKeys',
      summary: 'List your own API keys',
      tag: 'api_keys',
      access: apiKeyPolicy.listOwn,
      replies: { 200: { ...LIST, schema: z.object({ data: z.array(KEY) }) } },
      handler: async ({ caller }) => {
        const keys = await listOwnKeys(caller, readPrimary);
        return { body: { data: keys.map(presentApiKey) } };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/user/api_keys',
      operationId: 'createOwnApiKey',
      summary: 'Create an API key of your own',
      description: 'Needs a session: no key can create another.',
      tag: 'api_keys',
      access: apiKeyPolicy.createOwn,
      admit: (caller) => assertMayIssue(caller, 'personal'),
      body: BODY,
      replies: { 201: CREATED, 404: NO_PROJECT },
      handler: ({ caller, body }) => reply(caller, { auth, commands }, 'personal', body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/user/api_keys/{api_key_id}',
      operationId: 'deleteUserApiKey',
      summary: 'Delete an API key of your own, or as an administrator of anybody',
      tag: 'api_keys',
      access: apiKeyPolicy.deletePersonal,
      admit: assertMayDeletePersonal,
      params: idOf('UserApiKey'),
      replies: { 204: { description: 'The key was deleted.' }, 404: NOT_FOUND },
      handler: async ({ caller, params }) => {
        await commands.deletePersonal(caller, toRowId('UserApiKey', params.api_key_id));
        return DONE;
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/users/api_keys',
      operationId: 'listUserApiKeys',
      summary: 'List the API keys of all users',
      tag: 'api_keys',
      access: apiKeyPolicy.listPersonal,
      query: z.object(pageFields(100, MAX_PAGE, idPattern('UserApiKey'))),
      replies: {
        200: { ...LIST, schema: z.object({ data: z.array(OWNED_KEY), next_cursor: z.string().nullable() }) },
      },
      handler: async ({ caller, query: { limit, cursor = null } }) => {
        const { data, nextCursor } = await pageOrInvalidCursor(
          listPersonalKeys(readPrimary(caller), { limit, cursor }),
        );
        return { body: { data: data.map(presentOwnedApiKey), next_cursor: nextCursor } };
      },
    }),
  ];
}

function systemRoutes({ readPrimary, auth }: KeyServices, commands: CommandCalls<ApiKeyCommands>): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/system/api_keys',
      operationId: 'listSystemApiKeys',
      summary: 'List the system API keys',
      tag: 'api_keys',
      access: apiKeyPolicy.listSystem,
      replies: { 200: { ...LIST, schema: z.object({ data: z.array(KEY) }) } },
      handler: async ({ caller }) => {
        const keys = await listSystemKeys(readPrimary(caller));
        return { body: { data: keys.map(presentApiKey) } };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/system/api_keys',
      operationId: 'createSystemApiKey',
      summary: 'Create a system API key',
      description: 'Needs a session of an administrator, or the administrator’s secret. The key outlives its maker.',
      tag: 'api_keys',
      access: apiKeyPolicy.createSystem,
      admit: (caller) => assertMayIssue(caller, 'system'),
      body: BODY,
      replies: { 201: CREATED, 404: NO_PROJECT },
      handler: ({ caller, body }) => reply(caller, { auth, commands }, 'system', body),
    }),
    defineRoute({
      method: 'DELETE',
      path: '/v1/system/api_keys/{api_key_id}',
      operationId: 'deleteSystemApiKey',
      summary: 'Delete a system API key',
      tag: 'api_keys',
      access: apiKeyPolicy.deleteSystem,
      params: idOf('SystemApiKey'),
      replies: { 204: { description: 'The key was deleted.' }, 404: NOT_FOUND },
      handler: async ({ caller, params }) => {
        await commands.deleteSystem(caller, toRowId('SystemApiKey', params.api_key_id));
        return DONE;
      },
    }),
  ];
}

async function reply(
  caller: Caller,
  parts: Parameters<typeof issueApiKey>[1],
  of: 'personal' | 'system',
  body: z.output<typeof BODY>,
) {
  const { key, text } = await orUnprocessable(issueApiKey(caller, parts, of, toInput(body)));
  return { status: 201, body: { data: { ...presentApiKey(key), key: text } } };
}

function toInput({ data }: z.output<typeof BODY>): ApiKeyInput {
  const { name, description = null, expires_at = null, operations = null, project_ids = null } = data;
  return { name, description, expiresAtUs: expires_at, operations, projectRowIds: project_ids };
}

function toRowId(type: GlobalIdType, id: string): number {
  const rowId = parseGlobalId(type, id);
  if (rowId === undefined) throw new UnprocessableError(`This is not the id of a ${type}.`);
  return rowId;
}

const DONE = { status: 204, body: undefined };
