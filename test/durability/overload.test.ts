import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTestFolder, removeTestFolder } from '../harness/leftovers.ts';
import { launchServerProcess } from '../harness/server-process.ts';
import { findContradictions } from './contradictions.ts';
import { Faults, whyNoFaults } from './fail-io.ts';
import { runOverload } from './overload.ts';

const SECONDS = 10;

/** Unanswered requests are bounded at 64 MiB; the rest is one group, what is refused and read, and the program. */
const MAX_PEAK_MB = 800;

const why = whyNoFaults();

describe.skipIf(why !== undefined)(`an overloaded server${why === undefined ? '' : ` (${why})`}`, () => {
  it('answers everyone, stays small, and is back to normal within ten seconds', { timeout: 120_000 }, async () => {
    const folder = createTestFolder('overload');
    const data = join(folder, 'data');
    mkdirSync(data);
    const faults = new Faults(folder);
    try {
      const server = await launchServerProcess(data, { environment: faults.environment }).ready;
      const report = await runOverload(server, join(data, 'cairn.db'), faults, SECONDS);
      expect(report).toMatchObject({ unexpected: [], lost: 0 });
      expect(report.refused).toBeGreaterThan(0);
      expect(report.sentMb).toBeGreaterThan(8 * report.acknowledgedMb);
      expect(report.peakMb).toBeLessThan(MAX_PEAK_MB);
      expect(report.normalAgainMs).toBeLessThan(10_000);
      expect(await server.end('SIGTERM')).toBe(0);
      expect(findContradictions(join(data, 'cairn.db'))).toEqual([]);
    } finally {
      faults[Symbol.dispose]();
      removeTestFolder(folder);
    }
  });
});
