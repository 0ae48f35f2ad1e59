import { z } from 'zod';
import { defineRoute, type Route } from '#api/rest/route';
import { faultOfSecretName, faultOfSecretValue, MAX_SECRETS } from '#domain/secret';
import type { CommandCalls } from '#store/commands/command';
import type { SecretCommands } from './commands.ts';
import { deletedNames, sealSecrets, type WithSecretBox } from './operations.ts';
import { secretPolicy } from './policy.ts';

const ENTRY = z
  .object({
    key: trimmedText(faultOfSecretName)
      .meta({ pattern: '^\\s*[A-Za-z_][A-Za-z0-9_]{0,199}\\s*$' })
      .describe('Letters, digits and underscores; no digit at the beginning.'),
    value: trimmedText(faultOfSecretValue)
      .meta({ pattern: '\\S', maxLength: 65_536 })
      .nullable()
      .describe('`null` deletes the secret.'),
  })
  .meta({ id: 'SecretKeyValue' });

/** Routes of secrets. */
export function secretRoutes(services: WithSecretBox, commands: CommandCalls<SecretCommands>): readonly Route[] {
  return [
    defineRoute({
      method: 'PUT',
      path: '/v1/secrets',
      operationId: 'upsertOrDeleteSecrets',
      summary: 'Store and delete secrets, all or none',
      description:
        'Values are encrypted, and no interface answers them. Of several entries with the same key the last one counts. To delete a key that does not exist succeeds.',
      tag: 'secrets',
      access: secretPolicy.upsertOrDelete,
      hasSecretBody: true,
      body: z.object({ secrets: z.array(ENTRY).min(1).max(MAX_SECRETS) }),
      replies: {
        200: {
          description: 'The keys that were stored and deleted, each once, in no particular order.',
          contentType: 'application/json',
          schema: z.object({
            data: z.object({ upserted_keys: z.array(z.string()), deleted_keys: z.array(z.string()) }),
          }),
        },
        409: {
          description: 'The server has no key to encrypt with; the text says what to do.',
          contentType: 'text/plain',
        },
      },
      handler: async ({ caller, body }) => {
        const entries = body.secrets.map(({ key, value }) => ({ name: key, value }));
        const changes = await sealSecrets(services.auth.secretBox, entries);
        const upserted = await commands.upsertOrDelete(caller, changes);
        const data = { upserted_keys: upserted.map(({ rowId }) => rowId), deleted_keys: deletedNames(changes) };
        return { body: { data } };
      },
    }),
  ];
}

/** A text without white space at its ends, in which the function finds no fault. */
function trimmedText(faultOf: (text: string) => string | null) {
  return z
    .string()
    .trim()
    .superRefine((text, context) => {
      const fault = faultOf(text);
      if (fault !== null) context.addIssue({ code: 'custom', message: fault });
    });
}
