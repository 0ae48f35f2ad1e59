// Child processes of the bootstrap. Plain JavaScript without dependencies: it runs on Node 20 before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** How soon a stop of npm is noticed. */
const PARENT_CHECK_MS = 250;

/** Prints one line about a step that takes time. */
export function announce(text) {
  console.log(`cairn: ${text}`);
}

/** Ends this process with one line that says what to do. */
export function fail(text) {
  console.error(`cairn: ${text}`);
  process.exit(1);
}

/** Runs `file` to its end, showing its errors only; ends this process with `hint` when it fails. */
export function runStep(file, args, { hint, ...options }) {
  const { status, error } = spawnSync(file, args, { cwd: ROOT, ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) fail(error ? `${hint} (${error.message})` : hint);
}

/**
 * Becomes `file` as far as a Node without exec can: same terminal, signals handed on, same exit code or signal at the end.
 *
 * - A terminal sends Ctrl-C to the whole process group, so that one is handed on only where there is no terminal.
 * - A signal sent to npm ends npm's shell and never comes here; what shows is that the parent is another process.
 */
export function become(file, args) {
  const child = spawn(file, args, { stdio: 'inherit' });
  let isStopping = false;
  const handOn = (signal) => {
    isStopping = true;
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, handOn);
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent && !isStopping) handOn('SIGTERM');
    }, PARENT_CHECK_MS);
  }
  child.on('error', (error) => fail(`could not start ${file}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
