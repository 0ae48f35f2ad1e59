import { runCli } from '#cli/program';

// Whoever reads the output may stop early, as `head` does. What is left to say is then said to nobody.
for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);

process.exitCode = await runCli(process.argv.slice(2));

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
