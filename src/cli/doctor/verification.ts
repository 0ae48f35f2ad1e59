import type { ReadHandle } from '#resources/slice';
import { readVerification } from '#store/verification/plan-verification';
import type { Finding } from './finding.ts';

/** How far a server has verified what is stored. */
export async function checkVerification({ db }: Pick<ReadHandle, 'db'>): Promise<Finding[]> {
  const check = 'Verification';
  const state = await readVerification(db);
  if (state === undefined) return [];
  const { position, doneShare, startedAtUs, endedAtUs, differingCount } = state;
  const now =
    position === null
      ? ''
      : `; a pass is at ${Math.floor(doneShare * 100)} %, started on ${dateOf(startedAtUs)}. ${PASS_MEANING}`;
  const last =
    endedAtUs === null
      ? 'no pass over everything stored has ended yet'
      : `everything stored was read on ${dateOf(endedAtUs)}`;
  const findings: Finding[] = [{ check, status: 'ok', message: `${last}${now}` }];
  if (differingCount > 0) {
    const message = `${differingCount} rows of spans differ from what their originals say by the current rules`;
    findings.push({ check, status: 'warning', message, repair: 'cairn reindex --normalise reads them again.' });
  }
  return findings;
}

const PASS_MEANING =
  'The server spreads a pass over four hours or more, so that it costs next to nothing, and continues it after a restart. cairn doctor --verify reads everything now.';

function dateOf(us: number | null): string {
  return us === null ? 'an unknown date' : new Date(us / 1000).toISOString();
}
