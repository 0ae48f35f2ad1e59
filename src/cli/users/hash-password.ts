import { hashPassword } from '#credentials/password-hashes';
import { assertPassword } from '#domain/account';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { askPassword } from './ask-password.ts';

/** Prints what is stored of a password, for the repair of an account by hand; it needs no database. */
export async function runHashPassword({ isJson }: { readonly isJson: boolean }): Promise<ExitCode> {
  const password = await askPassword('Password: ');
  assertPassword(password, false);
  const { hash, salt, algorithm } = hashPassword(password);
  const columns = { password_hash: hash, password_salt: salt, password_algorithm: algorithm };
  const lines = Object.entries(columns).map(([name, value]) => `${name} = '${value}'`);
  process.stdout.write(isJson ? formatJson(columns) : `${lines.join('\n')}\n`);
  return EXIT_CODES.ok;
}
