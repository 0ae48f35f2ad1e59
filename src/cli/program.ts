import { Command, CommanderError, Option } from 'commander';
import { AppError, errorMessage } from '#base/errors';
import { CAIRN_VERSION } from '#base/version';
import { variables } from '#config/env';
import { PREFIX, type Variable } from '#config/variable';
import type { Flags } from '#config/read-environment';
import { afterHelp, MIN_WRAPPED_COLUMNS } from './after-help.ts';
import { addDatabaseCommands } from './db/commands.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { addSecretCommands } from './secrets/commands.ts';
import { addUserCommands } from './users/commands.ts';
import { formatVersion } from './version.ts';

/** Runs one command line, without the names of the program, and gives the exit code. Nothing is thrown. */
export async function runCli(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT_CODES.ok;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has written its help or complaint already; every complaint of its is about usage.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    const message = error instanceof AppError ? error.message : `Unexpected error: ${errorMessage(error)}`;
    process.stderr.write(`${message}\n`);
    return EXIT_CODES.failed;
  }
}

/** Commands load their code when they run: help and version need neither the server nor its libraries. */
function buildProgram(finish: (code: ExitCode) => void): Command {
  const program = new Command('cairn')
    .description('Records what LLM applications do: OpenTelemetry traces in; REST and GraphQL out.')
    .version(CAIRN_VERSION, '-V, --version', 'print the version of this program')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help for a command')
    .showHelpAfterError('Run it with --help to see the commands and options.')
    .exitOverride()
    .configureHelp({ minWidthToWrap: MIN_WRAPPED_COLUMNS })
    .addHelpText(
      'after',
      afterHelp(
        [
          'cairn serve',
          'cairn doctor',
          'cairn explain request.json',
          'cairn reindex --normalise',
          'cairn db backup /backups/cairn.db',
          'cairn users list',
          'cairn help serve',
        ],
        undefined,
        DOCTOR_FAILURE,
      ),
    );

  withConfigFlags(program.command('serve'))
    .description('start the server and run until it is stopped')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn serve', 'cairn serve --port 8080 --data ./data', 'SERVICE_OTLP_HTTP_PORT=4318 cairn serve'],
        'SIGTERM or Ctrl+C lets requests finish and stops within 10 seconds; a second one stops it immediately.',
      ),
    )
    .action(async (_options: unknown, command: Command) => {
      const { serve } = await import('./serve.ts');
      finish(await serve(readFlags(command), () => import('#server/start')));
    });

  withConfigFlags(program.command('doctor'))
    .description('check ports, disk, database and configuration, and say what to fix')
    .option('--json', 'print the findings as JSON')
    .option('--sso', 'also ask the providers and the directory that people sign in with')
    .option('--verify', 'also read everything that is stored, and name what is damaged')
    .addHelpText(
      'after',
      afterHelp(
        [
          'cairn doctor',
          'cairn doctor --data ./data',
          'cairn doctor --json',
          'cairn doctor --sso',
          'cairn doctor --verify',
        ],
        'It changes nothing and can run beside a server. Checking a large database takes a while.',
        DOCTOR_FAILURE,
      ),
    )
    .action(async (options: { json?: true; sso?: true; verify?: true }, command: Command) => {
      const { runDoctor } = await import('./doctor.ts');
      const [asksSignIn, isVerifying] = [options.sso === true, options.verify === true];
      finish(await runDoctor(readFlags(command), { isJson: options.json === true, asksSignIn, isVerifying }));
    });

  withConfigFlags(program.command('explain'))
    .description('explain how the spans of export requests in files, or one stored span, are read')
    .argument('<file or span id...>', 'files that hold OTLP export requests, read together; or the id of a stored span')
    .option('--json', 'print the explanation as JSON')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn explain request.binpb', 'cairn explain traces.json logs.json', 'cairn explain 00f067aa0ba902b7'],
        'Files are protobuf or OTLP JSON, plain or compressed with gzip or zstd. Stored spans come from the running server, or from the data file if no server is running. PostgreSQL is always read directly.',
      ),
    )
    .action(async (targets: string[], options: { json?: true }, command: Command) => {
      const { runExplain } = await import('./explain.ts');
      finish(await runExplain(targets, readFlags(command), { isJson: options.json === true }));
    });

  withConfigFlags(program.command('reindex'))
    .description('rebuild what is derived from stored spans')
    .option('--normalise', 'read every stored span again from its original bytes (also --normalize)')
    .addOption(new Option('--normalize').hideHelp())
    .option('--columns', 'rebuild the columns that filters, counts and charts read')
    .option('--search', 'rebuild the search index')
    .option('--cost', 'price every stored model call again, at current prices')
    .option('--model <pattern>', 'with --cost: only models whose name matches this regular expression')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn reindex --normalise', 'cairn reindex --columns --data ./data', 'cairn reindex --cost --model ^gpt-5'],
        'A running server does this in the background while this command shows its progress; run it again to see the progress. If no server is running, this command does the work. After an interruption, the next start of either continues it.',
      ),
    )
    .action(async (options: ReindexOptions, command: Command) => {
      const isNormalising = options.normalise === true || options.normalize === true;
      const isOfSearch = options.search === true;
      const chosen = [isNormalising, options.columns === true, isOfSearch, options.cost === true].filter(Boolean);
      if (chosen.length !== 1) {
        command.error("error: one of the options '--normalise', '--columns', '--search' and '--cost' is required");
      }
      if (options.model !== undefined && options.cost !== true) {
        command.error("error: the option '--model' needs '--cost'");
      }
      const loadDatabase = () => import('#server/open-database');
      const { runReindex, runRebuildColumns, runRebuildSearch, runReprice } = await import('./reindex.ts');
      if (options.cost === true) finish(await runReprice(readFlags(command), options.model ?? null, loadDatabase));
      else {
        const run = isNormalising ? runReindex : isOfSearch ? runRebuildSearch : runRebuildColumns;
        finish(await run(readFlags(command), loadDatabase));
      }
    });

  withConfigFlags(program.command('login'))
    .description('sign in to the running server with a browser, for the commands that ask it')
    .option('--no-browser', 'print the address, and open no browser')
    .addHelpText(
      'after',
      afterHelp(
        ['cairn login', 'cairn login --no-browser', 'cairn login --port 8080'],
        'The commands then act as you, on the server of these settings. Nobody but you can read what is stored for that.',
      ),
    )
    .action(async (options: { browser: boolean }, command: Command) => {
      const { runLogin } = await import('./sign-in/login.ts');
      finish(await runLogin(readFlags(command), { opensBrowser: options.browser }));
    });

  withConfigFlags(program.command('logout'))
    .description('sign out: end the sign-in of cairn login')
    .addHelpText('after', afterHelp(['cairn logout']))
    .action(async (_options: unknown, command: Command) => {
      const { runLogout } = await import('./sign-in/logout.ts');
      finish(await runLogout(readFlags(command)));
    });

  const kit = { withDataFlag, readFlags, afterHelp, finish };
  addDatabaseCommands(program, kit);
  addUserCommands(program, kit);
  addSecretCommands(program, kit);

  program
    .command('version')
    .description('print the versions of this program, of Node and of the compatible Phoenix')
    .addHelpText('after', afterHelp(['cairn version']))
    .action(() => {
      process.stdout.write(formatVersion());
    });
  return program;
}

interface ReindexOptions {
  readonly normalise?: true;
  readonly normalize?: true;
  readonly columns?: true;
  readonly search?: true;
  readonly cost?: true;
  readonly model?: string;
}

function withConfigFlags(command: Command): Command {
  return withFlagsOf(command, Object.values<Variable<unknown>>(variables));
}

function withDataFlag(command: Command): Command {
  return withFlagsOf(command, [variables.workingDir]);
}

function withFlagsOf(command: Command, those: readonly Variable<unknown>[]): Command {
  for (const variable of those) {
    if (variable.flag === undefined) continue;
    const fallback = variable.default ?? variable.unsetMeaning;
    const meaning = `${variable.meaning} (${PREFIX}${variable.name}; default: ${fallback})`;
    command.addOption(new Option(variable.flag, meaning.replaceAll('`', '')));
  }
  return command;
}

/** What was given for the flags that take a value. */
function readFlags(command: Command): Flags {
  const given = command.opts<Record<string, string | undefined>>();
  const flags: Record<string, string | undefined> = {};
  for (const option of command.options) {
    if (option.required && option.long !== undefined) flags[option.long] = given[option.attributeName()];
  }
  return flags;
}

const DOCTOR_FAILURE = 'it failed, or the doctor found something to fix';
