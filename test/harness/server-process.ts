/** A server in a process of its own, as a user starts it, so that a test can kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { END_WITH_PARENT } from './leftovers.ts';

/** A server process that is ready. */
export interface ServerProcess {
  readonly url: string;
  readonly grpcAddress: string;
  readonly child: ChildProcess;
  /** All that it has written, both streams. */
  readonly output: () => string;
  /** Ends it with the signal; returns its exit code, `null` when the signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/** How a server process is started, other than as `cairn serve`. */
export interface ProcessOptions {
  /** Its settings, names without their prefix. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Other variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The file that Node runs with the argument `serve`. */
  readonly program?: URL;
}

/** Starts `cairn serve` on free ports; rejects with its output when it ends before it is ready. */
export function startServerProcess(folder: string, settings: Record<string, string> = {}): Promise<ServerProcess> {
  return launchServerProcess(folder, { settings }).ready;
}

/** Starts a server like {@link startServerProcess}, and does not wait for it. */
export function launchServerProcess(
  folder: string,
  { settings = {}, environment = {}, program = PROGRAM }: ProcessOptions,
): { readonly child: ChildProcess; readonly ready: Promise<ServerProcess> } {
  const given = {
    HOST: '127.0.0.1',
    PORT: '0',
    GRPC_PORT: '0',
    WORKING_DIR: folder,
    LOGGING_MODE: 'structured',
    ...settings,
  };
  const variables = Object.entries(given).map(([name, value]) => [`SERVICE_${name}`, value]);
  const child = spawn(process.execPath, ['--import', END_WITH_PARENT, fileURLToPath(program), 'serve'], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...environment, ...Object.fromEntries(variables) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const ready = new Promise<ServerProcess>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const line = output.split('\n').find((one) => one.includes('"Ready."'));
      if (line === undefined) return;
      const { httpUrl, grpcAddress } = JSON.parse(line) as { httpUrl: string; grpcAddress: string };
      resolve({ url: httpUrl, grpcAddress, child, output: () => output, end });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready:\n${output}`)));
  });
  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
  return { child, ready };
}

/** Compiling is most of what a start costs. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/cairn-compiled', import.meta.url));

/** The bundle of the tests; the sources where nobody has made one. */
const PROGRAM = new URL(
  process.env['CAIRN_TEST_PROGRAM'] === undefined ? '../../src/main.ts' : 'main.js',
  process.env['CAIRN_TEST_PROGRAM'] ?? import.meta.url,
);
