/** `cairn logout`: the server forgets the command line, and so does this machine. */
import { loadConfig } from '#config/load';
import type { Flags } from '#config/read-environment';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { formatProblems } from '../problems.ts';
import { serverUrl } from '../send-to-server.ts';
import { readTokens, writeTokens } from './stored-tokens.ts';
import { postForm } from './tokens.ts';

/** Signs out. @throws AppError */
export async function runLogout(flags: Flags): Promise<ExitCode> {
  const { config, problems } = loadConfig(flags);
  if (config === null) {
    process.stderr.write(formatProblems(problems));
    return EXIT_CODES.usage;
  }
  const url = serverUrl(config);
  const stored = await readTokens(config, url);
  if (stored === undefined) {
    process.stdout.write('You were not signed in.\n');
    return EXIT_CODES.ok;
  }
  await writeTokens(config, url, undefined);
  const isRevoked = await postForm(config, '/oauth2/revoke', { token: stored.refresh }).then(
    ({ status }) => status === 200,
    () => false,
  );
  process.stdout.write(
    isRevoked
      ? 'You are signed out.\n'
      : `The tokens are deleted here, but the server at ${url} did not confirm it: revoke the application on your profile page.\n`,
  );
  return isRevoked ? EXIT_CODES.ok : EXIT_CODES.failed;
}
