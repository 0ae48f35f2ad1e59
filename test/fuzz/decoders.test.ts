/** Some seconds of what `npm run fuzz` does for hours. */
import { describe, expect, it } from 'vitest';
import { orInLongRun } from '../harness/long-run.ts';
import { findProblem, TARGETS } from './cases.ts';

/** So that a run finds what the run before found; the script chooses another each time. */
const SEED = 4;

/** What the long run tries; some of the targets take longer than others. */
const CASES: Readonly<Record<string, number>> = {
  protobuf: 5_000,
  json: 4_000,
  compression: 2_500,
  'grpc-framing': 2_500,
  redaction: 4_000,
  reading: 1_000,
  storing: 500,
  'storing-logs': 500,
};

describe('whatever bytes arrive', () => {
  it.each(TARGETS.map(({ name }) => name))(
    'the target %s neither fails nor reads them otherwise than its counterpart',
    { timeout: 180_000 },
    async (target) => {
      const problems: object[] = [];
      const count = (CASES[target] ?? 0) / orInLongRun(5, 1);
      for (let index = 0; index < count && problems.length < 3; index++) {
        const problem = await findProblem({ seed: SEED, target, index });
        if (problem !== undefined) problems.push({ seed: SEED, target, index, problem });
      }
      expect(problems).toEqual([]);
      expect(CASES[target]).toBeGreaterThan(0);
    },
  );
});
