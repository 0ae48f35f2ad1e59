import { runCli } from '#cli/program';

process.exitCode = await runCli(process.argv.slice(2));
