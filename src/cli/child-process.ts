/** Runs the program as a user does, for tests: a process of its own, with nothing of this one's configuration. */
import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(import.meta.dirname, '../..');

/** The bundle of the tests, which starts in a fifth of the time; the sources where nobody has made one. */
const BUNDLE = process.env['CAIRN_TEST_PROGRAM'];
const PROGRAM = BUNDLE === undefined ? 'src/main.ts' : fileURLToPath(new URL('main.js', BUNDLE));

/** What a finished process left behind. */
export interface FinishedProcess {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process under way, whose output so far can be waited on. */
export interface StartedProcess {
  readonly child: ChildProcess;
  readonly finished: Promise<FinishedProcess>;
  /** Resolves once the pattern is in either output. */
  readonly waitForOutput: (pattern: RegExp) => Promise<void>;
}

/** Runs a command line of the program to its end. @param input what is piped into it */
export function runCairn(
  args: readonly string[],
  env: Record<string, string> = {},
  input?: string,
): Promise<FinishedProcess> {
  return startNode([PROGRAM, ...args], env, input).finished;
}

/** Starts Node in the root of the checkout. */
export function startNode(args: readonly string[], env: Record<string, string> = {}, input?: string): StartedProcess {
  const own = Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX|NODE|VITEST)_/.test(name));
  const child = spawn(process.execPath, [...args], {
    cwd: ROOT,
    env: { ...Object.fromEntries(own), HOME: tmpdir(), NO_COLOR: '1', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  child.stdin?.end(input);
  const output = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      output[name] += chunk;
      for (const watch of watchers) watch();
    });
  }
  const finished = new Promise<FinishedProcess>((resolveFinished, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolveFinished({ exitCode, ...output }));
  });
  const waitForOutput = (pattern: RegExp) => {
    const seen = new Promise<void>((resolveSeen) => {
      const watch = () => pattern.test(output.stdout + output.stderr) && resolveSeen();
      watchers.add(watch);
      watch();
    });
    const ended = finished.then(({ stdout, stderr }) => {
      if (!pattern.test(stdout + stderr)) throw new Error(`ended without ${pattern}:\n${stdout}${stderr}`);
    });
    return Promise.race([seen, ended]);
  };
  return { child, finished, waitForOutput };
}
