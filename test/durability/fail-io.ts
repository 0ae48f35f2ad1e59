/** Servers whose reads and writes of the database fail, or take long, when a test says so: see fail-io.c. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The calls that can fail; those of the data file alone are what a checkpoint makes. */
export const OPERATIONS = { write: 1, sync: 2, truncate: 4, allocate: 8, checkpointWrite: 17, checkpointSync: 18 };

/** What a call fails with. */
export type FaultCode = 'EIO' | 'ENOSPC' | 'ENOMEM';

/** Where the members of `struct order` lie. */
const OFFSETS = { failed: 12, delayMs: 16, end: 20 };

/** Why there can be no such server here; `undefined` where there can. */
export function whyNoFaults(): string | undefined {
  if (process.platform !== 'linux') return 'calls are intercepted on Linux only';
  if (spawnSync('cc', ['--version']).status !== 0) return 'there is no C compiler (cc)';
  return undefined;
}

/** The faults of one server. */
export class Faults implements Disposable {
  /** For the environment of the server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #file: number;

  /** Compiles what is needed, into the folder. */
  constructor(folder: string) {
    const library = join(folder, 'fail-io.so');
    const source = fileURLToPath(new URL('fail-io.c', import.meta.url));
    const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']);
    if (status !== 0) throw new Error(`fail-io.c does not compile:\n${String(stderr)}`);
    const orders = join(folder, 'fail-io');
    writeFileSync(orders, Buffer.alloc(OFFSETS.end));
    this.#file = openSync(orders, 'r+');
    this.environment = { LD_PRELOAD: library, CAIRN_FAIL_IO: orders };
  }

  /** Lets the n-th call from now fail. */
  arm(operation: keyof typeof OPERATIONS, n: number, code: FaultCode): void {
    this.#write(0, OPERATIONS[operation], n, constants.errno[code], 0);
  }

  /** Lets nothing fail any more; returns whether something has failed since it was armed. */
  disarm(): boolean {
    const hasFailed = this.hasFailed();
    this.#write(0, 0, 0, 0, 0);
    return hasFailed;
  }

  /** Whether something has failed since it was armed. */
  hasFailed(): boolean {
    const failed = Buffer.alloc(4);
    readSync(this.#file, failed, 0, 4, OFFSETS.failed);
    return failed.readInt32LE(0) > 0;
  }

  /** Makes each sync take longer by so many milliseconds. */
  slowSyncs(delayMs: number): void {
    this.#write(OFFSETS.delayMs, delayMs);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  #write(offset: number, ...values: number[]): void {
    writeSync(this.#file, Buffer.from(Int32Array.from(values).buffer), 0, 4 * values.length, offset);
  }
}
