import { hashPassword } from '#credentials/password-hashes';
import type { Flags } from '#config/read-environment';
import { assertPassword, normalizeEmail } from '#domain/account';
import { systemCaller } from '#domain/caller';
import type { ExitCode } from '../exit-codes.ts';
import { askPassword, makeUpPassword } from './ask-password.ts';
import { runOnAccounts } from './run-on-accounts.ts';

/** Gives somebody a password that they must change, signs them out everywhere, and lets them in who were locked out. */
export function runResetPassword(
  email: string,
  flags: Flags,
  { isAsking }: { readonly isAsking: boolean },
): Promise<ExitCode> {
  return runOnAccounts(flags, async ({ config, commands }) => {
    const address = normalizeEmail(email);
    const password = isAsking ? await askPassword(`New password of ${address}: `) : makeUpPassword();
    assertPassword(password, config.auth.passwords.isStrong);
    await commands.resetPassword(systemCaller('command line'), { email: address, password: hashPassword(password) });
    process.stdout.write(
      isAsking
        ? `The password of ${address} is set. It must be changed at the next sign-in.\n`
        : `New password of ${address}, which must be changed at the next sign-in: ${password}\n`,
    );
  });
}
