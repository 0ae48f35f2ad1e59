import type { Flags } from '#config/read-environment';
import { systemCaller } from '#domain/caller';
import { secretCommands, type SecretCommands } from '#resources/secrets/commands';
import { type Rotation, rotateSecrets } from '#resources/secrets/operations';
import { secretPolicy } from '#resources/secrets/policy';
import { createSecretBox } from '#server/authentication/secret-box';
import { remoteCommands } from '#store/commands/remote-commands';
import { runBesideServers } from '../db/run-beside-servers.ts';
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts';
import { formatJson } from '../json-output.ts';
import { createLogger } from '../logger.ts';

/** Encrypts all stored secrets with today's key, and says which could not be read. */
export async function runRotateSecrets(flags: Flags, { isJson }: { readonly isJson: boolean }): Promise<ExitCode> {
  let areAllReadable = true;
  const exitCode = await runBesideServers(flags, [secretCommands], async ({ config, handle, runCommand }) => {
    const box = createSecretBox(config, createLogger(config.log, process.stderr.fd));
    const commands = remoteCommands<SecretCommands>(secretPolicy, runCommand);
    const rotation = await rotateSecrets(systemCaller('command line'), () => handle, box, commands.rotate);
    areAllReadable = rotation.unreadable.length === 0;
    process.stdout.write(isJson ? formatJson(rotation) : describe(rotation));
  });
  return areAllReadable ? exitCode : EXIT_CODES.failed;
}

function describe({ rotatedCount, currentCount, unreadable }: Rotation): string {
  const lines = [`Encrypted with the current key: ${rotatedCount} now, ${currentCount} before.`];
  if (unreadable.length > 0) {
    lines.push(
      `Not changed, because no key opens them: ${unreadable.join(', ')}.`,
      'Give the key that they are encrypted with as SERVICE_PREVIOUS_SECRET, or enter their values again.',
    );
  }
  return `${lines.join('\n')}\n`;
}
