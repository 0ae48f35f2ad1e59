import { AppError, errorMessage } from '#base/errors';
import type { Logger } from '#base/log';
import type { Config } from '#config/config';
import { loadConfig } from '#config/load';
import type { Flags } from '#config/read-environment';
import type { RunningServer, startServer } from '#server/start';
import { sparelyGrowHeaps } from '#server/thread-limits';
import { describeDataPlace } from './data-place.ts';
import { EXIT_CODES, type ExitCode } from './exit-codes.ts';
import { createLogger } from './logger.ts';
import { formatProblems } from './problems.ts';
import { formatFirstPassword, formatReady } from './ready.ts';
import { waitForStopSignal } from './stop-signal.ts';

/** The server's code: a problem in the configuration is told before it is loaded. */
export type LoadServer = () => Promise<{ readonly startServer: typeof startServer }>;

/** Serves until a signal stops it, or a newer version takes its data over. */
export async function serve(flags: Flags, loadServer: LoadServer): Promise<ExitCode> {
  const { config, problems, warnings } = loadConfig(flags);
  if (config === null) {
    process.stderr.write(formatProblems(problems));
    return EXIT_CODES.usage;
  }
  // What applications said to models is for the server's own user alone.
  process.umask(0o077);
  const log = createLogger(config.log, process.stderr.fd);
  for (const warning of warnings) log.warn(warning);

  const stopped = waitForStopSignal(process, (reason) => {
    log.error(`Stopped immediately: ${reason}. Everything that was acknowledged is stored.`);
    process.exit(EXIT_CODES.failed);
  });
  sparelyGrowHeaps(config.maxMemoryBytes);
  const server = await start(loadServer, config, log);
  if (server === undefined) return EXIT_CODES.failed;
  announce(config, server, log);

  const code = await Promise.race([
    stopped.then((signal) => {
      log.info(`Stopping after ${signal}.`);
      return EXIT_CODES.ok;
    }),
    server.outdated.then((reason) => {
      log.error(reason);
      return EXIT_CODES.failed;
    }),
  ]);
  await server.close();
  log.info('Stopped.');
  return code;
}

async function start(loadServer: LoadServer, config: Config, log: Logger): Promise<RunningServer | undefined> {
  try {
    const { startServer } = await loadServer();
    return await startServer(config, log);
  } catch (error) {
    const message = error instanceof AppError ? error.message : `Cairn could not start: ${errorMessage(error)}`;
    log.error(message);
    log.debug('Cause of the error.', { error });
    return undefined;
  }
}

/** To people on standard output; to machines as a line of the log. A password that was made up is never in the log. */
function announce(config: Config, server: RunningServer, log: Logger): void {
  const { firstPassword } = server;
  if (config.log.isStructured) {
    log.info('Ready.', {
      httpUrl: server.httpUrl,
      grpcAddress: server.grpcAddress,
      data: describeDataPlace(config.database),
    });
    if (firstPassword?.madeUp != null) process.stdout.write(formatFirstPassword(firstPassword));
    return;
  }
  process.stdout.write(formatReady(config, server));
  if (firstPassword !== null) process.stdout.write(formatFirstPassword(firstPassword));
}
