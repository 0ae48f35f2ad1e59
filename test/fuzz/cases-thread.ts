/** Runs cases of all targets in turn, until its thread is ended, and shows where it is. */
import { parentPort, workerData } from 'node:worker_threads';
import { findProblem, TARGETS } from './cases.ts';

/** What the thread is started with; `place` is where it shows its target and case. */
export interface CasesThreadData {
  readonly seed: number;
  readonly targets: readonly string[];
  readonly firstCase: number;
  readonly place: Int32Array<SharedArrayBuffer>;
}

const { seed, targets, firstCase, place } = workerData as CasesThreadData;

for (let index = firstCase; ; index++) {
  for (const [at, { name }] of TARGETS.entries()) {
    if (!targets.includes(name)) continue;
    place.set([at, index]);
    const problem = await findProblem({ seed, target: name, index });
    if (problem !== undefined) parentPort?.postMessage({ target: name, index, problem });
  }
  // Lets messages out.
  if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
}
