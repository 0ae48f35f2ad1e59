/** `cairn secrets …`: stored secrets, from the machine of the server. */
import type { Command } from 'commander';
import type { CommandKit } from '../db/commands.ts';

/** Adds the commands below `secrets`. */
export function addSecretCommands(program: Command, { withDataFlag, readFlags, afterHelp, finish }: CommandKit): void {
  const examples = [
    'SERVICE_SECRET="$NEW" SERVICE_PREVIOUS_SECRET="$OLD" cairn secrets rotate',
    'cairn secrets rotate --data ./data --json',
  ];
  const secrets = program
    .command('secrets')
    .description('encrypt stored secrets with another key')
    .helpCommand('help [command]', 'print the help for a command')
    .addHelpText('after', afterHelp(examples));
  withDataFlag(secrets.command('rotate'))
    .description(
      'encrypt all stored secrets with SERVICE_SECRET that are encrypted with the secret before, or with the key file',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      afterHelp(
        examples,
        'Start the server with both secrets first: it reads with both, so this can run beside it. All secrets are changed or none, and it can be run again. Afterwards, SERVICE_PREVIOUS_SECRET can go. It exits with 1 if a secret could not be read.',
      ),
    )
    .action(async (options: { json?: true }, command: Command) => {
      const { runRotateSecrets } = await import('./rotate.ts');
      finish(await runRotateSecrets(readFlags(command), { isJson: options.json === true }));
    });
}
