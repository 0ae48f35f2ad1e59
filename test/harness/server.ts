/** A whole running server for a test, on free ports and in a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Callers } from '#api/caller';
import type { Logger } from '#base/log';
import { deriveConfig } from '#config/load';
import { type RunningServer, startServer } from '#server/start';
import { createTestData, environmentOf, type TestData } from './test-data.ts';

/** A server and what it has said. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly grpcAddress: string;
  readonly server: RunningServer;
  /** Its working directory, deleted with it. */
  readonly folder: string;
  readonly data: TestData;
  /** Lines of level warn and error, in order. */
  readonly complaints: readonly string[];
}

/**
 * Whether the servers of a worker follow each other at one address, where that is free: a browser keeps what it has loaded by
 * address.
 */
const KEEPS_ADDRESS = process.env['CAIRN_TEST_KEEPS_ADDRESS'] === '1';

/** The process also holds what tests before hold: with less memory a server finds it short, collects garbage and lets requests wait. */
const AMPLE_MIB = '8192';

/** Where the last one listened, while none does. */
let freePort = '0';

let starts = 0;

/** How often a server was started in this process: those that follow each other may have one address. */
export function countStarts(): number {
  return starts;
}

/** Starts a server with the settings, names without their prefix; it asks nobody for credentials unless a test says how. */
export async function startTestServer(
  settings: Readonly<Record<string, string>> = {},
  callers?: Callers,
): Promise<TestServer> {
  starts += 1;
  const folder = await mkdtemp(join(tmpdir(), 'cairn-test-'));
  const complaints: string[] = [];
  const complain = (message: string, fields?: object) =>
    complaints.push(fields === undefined ? message : `${message} ${describe(fields)}`);
  const log: Logger = { debug: () => undefined, info: () => undefined, warn: complain, error: complain };
  const data = await createTestData(settings['WORKING_DIR'] ?? folder, settings);
  const remove = async () => {
    await data.remove();
    await rm(folder, { recursive: true, force: true });
  };
  const port = freePort;
  freePort = '0';
  try {
    const given = {
      HOST: '127.0.0.1',
      PORT: port,
      GRPC_PORT: '0',
      WORKING_DIR: folder,
      MAX_MEMORY_MIB: AMPLE_MIB,
      ...data.settings,
      ...settings,
    };
    const { config, problems } = deriveConfig(environmentOf(given));
    if (config === null) throw new Error(problems.map((problem) => JSON.stringify(problem)).join('\n'));
    const server = await startServer(config, log, undefined, callers);
    return {
      url: server.httpUrl,
      grpcAddress: server.grpcAddress,
      server,
      folder,
      data,
      complaints,
      [Symbol.asyncDispose]: async () => {
        await server.close();
        if (KEEPS_ADDRESS) freePort = new URL(server.httpUrl).port;
        await remove();
      },
    };
  } catch (error) {
    await remove();
    // Somebody else may have taken it.
    if (port !== '0') return startTestServer(settings, callers);
    throw error;
  }
}

function describe(fields: object): string {
  return Object.values(fields)
    .map((value: unknown) => (value instanceof Error ? (value.stack ?? value.message) : String(value)))
    .join(' ');
}
