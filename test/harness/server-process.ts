/** A server in a process of its own, as a user starts it, so that a test can kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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

/** Starts `cairn serve` on free ports; rejects with its output when it ends before it is ready. */
export async function startServerProcess(
  folder: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const given = {
    HOST: '127.0.0.1',
    PORT: '0',
    GRPC_PORT: '0',
    WORKING_DIR: folder,
    LOGGING_MODE: 'structured',
    ...settings,
  };
  const variables = Object.entries(given).map(([name, value]) => [`SERVICE_${name}`, value]);
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../src/main.ts', import.meta.url)), 'serve'], {
    env: { ...process.env, ...Object.fromEntries(variables) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ready = new Promise<{ httpUrl: string; grpcAddress: string }>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const line = output.split('\n').find((one) => one.includes('"Ready."'));
      if (line !== undefined) resolve(JSON.parse(line) as { httpUrl: string; grpcAddress: string });
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code} before it was ready:\n${output}`)));
  });
  const { httpUrl, grpcAddress } = await ready;
  return {
    url: httpUrl,
    grpcAddress,
    child,
    output: () => output,
    async end(signal) {
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
