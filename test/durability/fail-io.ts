/** Servers whose reads and writes of the database fail, end the server or take long, when a test says so: see fail-io.c. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '../harness/leftovers.ts';
import { FAULT_POINTS, FAULTS_VARIABLE, type Fault, type FaultPoint } from './fault-points.ts';

/** Where the members of `struct order` lie. */
const OFFSETS = { hits: 12, delayMs: 16, end: 20 };

const KILLS: Readonly<Record<string, number>> = { 'kill-before': -1, 'kill-after': -2 };

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

  /** Keeps what it orders in the folder. */
  constructor(folder: string) {
    library ??= compileLibrary();
    const orders = join(folder, 'fail-io');
    writeFileSync(orders, Buffer.alloc(OFFSETS.end));
    this.#file = openSync(orders, 'r+');
    this.environment = { LD_PRELOAD: library, [FAULTS_VARIABLE]: orders };
  }

  /** Puts the fault at the n-th call from now of all those at the points. */
  arm(points: readonly FaultPoint[], n: number, fault: Fault): void {
    const mask = points.reduce((sum, point) => sum | FAULT_POINTS[point], 0);
    this.#write(0, mask, n, KILLS[fault] ?? constants.errno[fault as 'EIO'], 0);
  }

  /** Lets nothing happen any more; returns whether something has happened since it was armed. */
  disarm(): boolean {
    const wasHit = this.wasHit();
    this.#write(0, 0, 0, 0, 0);
    return wasHit;
  }

  /** Whether the fault has happened since it was armed. */
  wasHit(): boolean {
    const hits = Buffer.alloc(4);
    readSync(this.#file, hits, 0, 4, OFFSETS.hits);
    return hits.readInt32LE(0) > 0;
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

/** What stands in front of the calls, for all servers that tests of this process start. */
let library: string | undefined;

function compileLibrary(): string {
  const path = join(createTestFolder('fail-io'), 'fail-io.so');
  const source = fileURLToPath(new URL('fail-io.c', import.meta.url));
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', path, source, '-ldl']);
  if (status !== 0) throw new Error(`fail-io.c does not compile:\n${String(stderr)}`);
  return path;
}
