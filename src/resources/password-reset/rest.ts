import { z } from 'zod';
import { defineRoute, type Route } from '#api/rest/route';
import type { CommandCalls } from '#store/commands/command';
import type { Services } from '../slice.ts';
import type { PasswordResetCommands } from './commands.ts';
import { choosePassword, type PasswordResetParts, requestReset } from './rest/reset.ts';
import { passwordResetPolicy } from './policy.ts';

/** Longer than any address, password or token that is accepted. */
const MAX_TYPED = 4096;

const TEXT = { contentType: 'text/plain' } as const;
const REFUSALS = {
  403: { ...TEXT, description: 'Signing in with a password is off.' },
  429: { ...TEXT, description: 'Too many requests; `Retry-After` says when to try again.' },
};

/** Routes of choosing a new password by mail. */
export function passwordResetRoutes(
  { auth, readPrimary }: Pick<Services, 'auth' | 'readPrimary'>,
  commands: CommandCalls<PasswordResetCommands>,
): readonly Route[] {
  const parts: PasswordResetParts = { auth, readPrimary, commands };
  return [
    defineRoute({
      method: 'POST',
      path: '/auth/password-reset-email',
      operationId: 'requestPasswordReset',
      summary: 'Ask for a mail with a link to choose a new password',
      tag: 'sign-in',
      access: passwordResetPolicy.request,
      limit: (address) => auth.rateLimits.countClient('reset request', address),
      body: z.object({ email: z.string().max(MAX_TYPED).nullish() }),
      replies: {
        ...REFUSALS,
        204: { description: 'If an account with a password has this address, a mail is on its way.' },
        503: { ...TEXT, description: 'The server cannot send mail.' },
      },
      handler: async ({ caller, body }) => {
        await requestReset(parts, caller, body.email);
        return { status: 204, body: undefined };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/auth/password-reset',
      operationId: 'resetPassword',
      summary: 'Choose a new password with the token from a mail',
      description: 'Ends all sign-ins of the account, and unlocks it. Its keys stay.',
      tag: 'sign-in',
      access: passwordResetPolicy.choose,
      limit: (address) => auth.rateLimits.countClient('reset', address),
      hasSecretBody: true,
      body: z.object({
        token: z.string().max(MAX_TYPED).nullish(),
        password: z.string().max(MAX_TYPED).nullish(),
      }),
      replies: {
        ...REFUSALS,
        204: { description: 'The password is changed.' },
        401: { ...TEXT, description: 'The token is missing or wrong, was used or replaced, or has expired.' },
      },
      handler: async ({ caller, body }) => {
        await choosePassword(parts, caller, body);
        return { status: 204, body: undefined };
      },
    }),
  ];
}
