import { errorMessage } from '#base/errors';

/** What one check found. */
export interface Finding {
  readonly check: string;
  /** A warning is worth knowing and stops nothing. */
  readonly status: 'ok' | 'warning' | 'problem';
  /** What is so. */
  readonly message: string;
  /** What to do about a problem whose message does not say it. */
  readonly repair?: string;
}

/** The findings of a check; one that fails itself is a problem of its own, so that the others still run. */
export async function runCheck(check: string, run: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await run();
  } catch (error) {
    const repair = 'Fix what the message names, then run the doctor again.';
    return [{ check, status: 'problem', message: `could not be checked: ${errorMessage(error)}`, repair }];
  }
}

/** The findings for people, a line each and one more for what to repair. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.map(({ check, status, message, repair }) => {
    const advice = repair === undefined ? '' : `    → ${repair}\n`;
    return `${MARKS[status]} ${check}: ${message}\n${advice}`;
  });
  return `${lines.join('')}\n${formatVerdict(findings)}\n`;
}

function formatVerdict(findings: readonly Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  const [problemCount, warningCount] = [count('problem'), count('warning')];
  const warnings = `${warningCount} ${warningCount === 1 ? 'warning' : 'warnings'}`;
  if (problemCount > 0) return `Problems to fix: ${problemCount}${warningCount === 0 ? '' : `, and ${warnings}`}.`;
  return warningCount === 0 ? 'Nothing needs fixing.' : `${warnings}; nothing else needs fixing.`;
}

const MARKS = { ok: '✓', warning: '!', problem: '✗' } as const;
