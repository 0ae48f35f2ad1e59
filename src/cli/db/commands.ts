/** `cairn db …`: what is done to the data as a whole. */
import type { Command } from 'commander';
import type { Flags } from '#config/read-environment';
import type { afterHelp } from '../after-help.ts';
import type { ExitCode } from '../exit-codes.ts';

/** What the program gives its commands. */
export interface CommandKit {
  /** For commands that work on the data, whatever a server listens on. */
  readonly withDataFlag: (command: Command) => Command;
  readonly readFlags: (command: Command) => Flags;
  readonly afterHelp: typeof afterHelp;
  readonly finish: (code: ExitCode) => void;
}

/** Adds the commands below `db`. */
export function addDatabaseCommands(program: Command, kit: CommandKit): void {
  const db = program
    .command('db')
    .description('back up, restore, upgrade, copy, salvage and inspect the data')
    .helpCommand('help [command]', 'print the help for a command')
    .addHelpText('after', kit.afterHelp(['cairn db status', 'cairn db backup /backups/cairn.db']));
  addBackup(db, kit);
  addRestore(db, kit);
  addStatus(db, kit);
  addMigrate(db, kit);
  addCopy(db, kit);
  addSalvage(db, kit);
  addRebuildIndexes(db, kit);
}

function addRebuildIndexes(db: Command, { withDataFlag, readFlags, afterHelp, finish }: CommandKit): void {
  withDataFlag(db.command('rebuild-indexes'))
    .description('make damaged indexes of the data file again; the server must be stopped')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn db rebuild-indexes', 'cairn db rebuild-indexes --data ./data --json'],
        'It looks up each row in all indexes, and makes those again that miss rows. An index stays as it is where its rows may be what is damaged. The exit code is 1 then, and where rows cannot be read.',
      ),
    )
    .action(async (options: { json?: true }, command: Command) => {
      const { runRebuildIndexes } = await import('./rebuild-indexes.ts');
      finish(await runRebuildIndexes(readFlags(command), { isJson: options.json === true }));
    });
}

function addSalvage(db: Command, { afterHelp, finish }: CommandKit): void {
  db.command('salvage')
    .description('copy what is intact in a damaged data file into a new one; its server must be stopped')
    .argument('<source>', 'the damaged data file, which is not changed')
    .argument('<target>', 'the file to create')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn db salvage ~/.cairn/cairn.db ./salvaged.db'],
        'It prints what is lost, and ends with exit code 1 if anything is. Put the new file in the place of the damaged one, or name it with SERVICE_SQL_DATABASE_URL.',
      ),
    )
    .action(async (source: string, target: string, options: { json?: true }) => {
      const { runSalvage } = await import('./salvage.ts');
      finish(await runSalvage(source, target, { isJson: options.json === true }));
    });
}

function addBackup(db: Command, { withDataFlag, readFlags, afterHelp, finish }: CommandKit): void {
  withDataFlag(db.command('backup'))
    .description('copy the data to a file, while a server runs or not')
    .argument('<file>', 'the file to create')
    .option('--overwrite', 'replace the file if it exists')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn db backup /backups/cairn.db', 'cairn db backup --data ./data --overwrite backup.db'],
        'The file appears only when it is complete, compared and checked. It holds everything that was acknowledged when this command started. Restore it with cairn db restore.',
      ),
    )
    .action(async (file: string, options: { overwrite?: true; json?: true }, command: Command) => {
      const { runBackup } = await import('./backup.ts');
      const isReplacing = options.overwrite === true;
      finish(await runBackup(file, readFlags(command), { isReplacing, isJson: options.json === true }));
    });
}

function addRestore(db: Command, { withDataFlag, readFlags, afterHelp, finish }: CommandKit): void {
  withDataFlag(db.command('restore'))
    .description('replace the data with a backup; the server must be stopped')
    .argument('<file>', 'the backup, which is not changed')
    .option('--discard', 'do not keep the current data')
    .option('--sha256 <digits>', 'refuse a file with a different SHA-256')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn db restore /backups/cairn.db', 'cairn db restore --data ./data --discard backup.db'],
        'The backup is copied and checked first. The previous data is kept next to the new data as <name>.before-restore-<time>. After an interruption, either the previous or the new data is in place.',
      ),
    )
    .action(async (file: string, options: { discard?: true; sha256?: string; json?: true }, command: Command) => {
      const { runRestore } = await import('./restore.ts');
      const isDiscarding = options.discard === true;
      const sha256 = options.sha256 ?? null;
      finish(await runRestore(file, readFlags(command), { isDiscarding, sha256, isJson: options.json === true }));
    });
}

function addStatus(db: Command, { withDataFlag, readFlags, afterHelp, finish }: CommandKit): void {
  withDataFlag(db.command('status'))
    .description('print schema, size and content of the data, and pending background work')
    .option('--json', 'print the status as JSON')
    .addHelpText('after', afterHelp(['cairn db status', 'cairn db status --data ./data --json'], 'It changes nothing.'))
    .action(async (options: { json?: true }, command: Command) => {
      const { runStatus } = await import('./status.ts');
      finish(await runStatus(readFlags(command), { isJson: options.json === true }));
    });
}

function addMigrate(db: Command, { withDataFlag, readFlags, afterHelp, finish }: CommandKit): void {
  withDataFlag(db.command('migrate'))
    .description('bring the database schema up to date, as the server does when it starts; the server must be stopped')
    .option('--json', 'print the changes as JSON')
    .addHelpText('after', afterHelp(['cairn db migrate', 'cairn db migrate --data ./data']))
    .action(async (options: { json?: true }, command: Command) => {
      const { runMigrate } = await import('./migrate.ts');
      finish(await runMigrate(readFlags(command), { isJson: options.json === true }));
    });
}

function addCopy(db: Command, { afterHelp, finish }: CommandKit): void {
  db.command('copy')
    .description(
      'copy everything into an empty database, from a file to PostgreSQL or back; the servers must be stopped',
    )
    .argument('<from>', 'a data file, or a URL as in SERVICE_SQL_DATABASE_URL')
    .argument('<to>', 'the target, in the same form')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      afterHelp(
        [
          'cairn db copy ~/.cairn/cairn.db postgresql://cairn@db.example/cairn',
          'cairn db copy postgresql://cairn@db.example/cairn ./cairn.db',
        ],
        'Ids are kept, and both databases are compared afterwards. After an interruption, run the same command to continue.',
      ),
    )
    .action(async (from: string, to: string, options: { json?: true }) => {
      const { runCopy } = await import('./copy.ts');
      finish(await runCopy(from, to, { isJson: options.json === true }));
    });
}
