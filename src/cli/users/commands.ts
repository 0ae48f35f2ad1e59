/** `cairn users …`: accounts, from the machine of the server. */
import type { Command } from 'commander';
import type { CommandKit } from '../db/commands.ts';

/** Adds the commands below `users`. */
export function addUserCommands(program: Command, kit: CommandKit): void {
  const users = program
    .command('users')
    .description('list accounts, and set the password of one')
    .helpCommand('help [command]', 'print the help for a command')
    .addHelpText('after', kit.afterHelp(['cairn users list', 'cairn users reset-password ada@example.com']));
  addList(users, kit);
  addResetPassword(users, kit);
  addHashPassword(users, kit);
}

function addList(users: Command, { withDataFlag, readFlags, afterHelp, finish }: CommandKit): void {
  withDataFlag(users.command('list'))
    .description('list all accounts')
    .option('--json', 'print the accounts as JSON')
    .addHelpText('after', afterHelp(['cairn users list', 'cairn users list --json'], BESIDE))
    .action(async (options: { json?: true }, command: Command) => {
      const { runListUsers } = await import('./list.ts');
      finish(await runListUsers(readFlags(command), { isJson: options.json === true }));
    });
}

function addResetPassword(users: Command, { withDataFlag, readFlags, afterHelp, finish }: CommandKit): void {
  withDataFlag(users.command('reset-password'))
    .description('set a new password, end all sign-ins and lift the lock of an account')
    .argument('<email>', 'the e-mail address of the account')
    .option('--ask', 'ask for the password, or read it from a pipe, instead of making one up')
    .addHelpText(
      'after',
      afterHelp(
        [
          'cairn users reset-password admin@localhost',
          'cairn users reset-password --ask ada@example.com',
          'pass show cairn | cairn users reset-password --ask ada@example.com',
        ],
        `The account must choose another password at its next sign-in.\n${BESIDE}`,
      ),
    )
    .action(async (email: string, options: { ask?: true }, command: Command) => {
      const { runResetPassword } = await import('./reset-password.ts');
      finish(await runResetPassword(email, readFlags(command), { isAsking: options.ask === true }));
    });
}

function addHashPassword(users: Command, { afterHelp, finish }: CommandKit): void {
  users
    .command('hash-password')
    .description('print what the database stores of a password, for a repair by hand')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn users hash-password', 'echo "$PASSWORD" | cairn users hash-password --json'],
        'It asks for the password, or reads it from a pipe, and opens no database. docs/authentication.md shows the repair.',
      ),
    )
    .action(async (options: { json?: true }) => {
      const { runHashPassword } = await import('./hash-password.ts');
      finish(await runHashPassword({ isJson: options.json === true }));
    });
}

const BESIDE = 'It works on the database itself, beside a running server or without one, and asks for no credentials.';
