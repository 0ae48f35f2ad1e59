/** The built program as a user starts it, in a folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copySynced } from './copy-synced.ts';

/** A server that is ready. */
export interface BenchServer {
  readonly pid: number;
  readonly httpUrl: string;
  readonly grpcAddress: string;
  readonly dataFile: string;
  /** From the start of the process to the line that says it is ready. */
  readonly startMs: number;
  /** Ends it as a user would; its data file is whole then. */
  stop(): Promise<void>;
  /** Deletes its folder. */
  remove(): void;
}

const PROGRAM = fileURLToPath(new URL('../bin/cairn.js', import.meta.url));

/** Starts a server on an empty data file, on a copy of `dataFile`, or on the database that the variables name. */
export async function startBenchServer(
  dataFile: string | undefined,
  nodeOptions: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  onSpawned: (pid: number) => void = () => undefined,
): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-'));
  const path = join(folder, 'cairn.db');
  if (dataFile !== undefined) copySynced(dataFile, path);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, PROGRAM, 'serve'], {
    env: {
      ...process.env,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: '0',
      SERVICE_GRPC_PORT: '0',
      SERVICE_WORKING_DIR: folder,
      SERVICE_LOGGING_MODE: 'structured',
      ...variables,
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  if (child.pid !== undefined) onSpawned(child.pid);
  const { httpUrl, grpcAddress } = await new Promise<{ httpUrl: string; grpcAddress: string }>((resolve, reject) => {
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const ready = output.split('\n').find((line) => line.includes('"Ready."') && line.endsWith('}'));
      if (ready !== undefined) resolve(JSON.parse(ready) as { httpUrl: string; grpcAddress: string });
      if (/"level":"?(warn|error|40|50)/.test(chunk.toString())) process.stderr.write(chunk);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)));
  });
  return {
    pid: child.pid as number,
    httpUrl,
    grpcAddress,
    dataFile: path,
    startMs: performance.now() - startedAt,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
