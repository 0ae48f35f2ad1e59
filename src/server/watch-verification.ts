import { Gauge, type Registry } from 'prom-client';
import type { Database } from '#store/database';
import type { VerificationState } from '#store/verification/plan-verification';

/** Shows in metrics how far the verification of what is stored is, as the database says at each scrape. */
export function watchVerification(registry: Registry, { verification }: Pick<Database, 'verification'>): void {
  const gauge = (name: string, help: string, valueOf: (state: VerificationState) => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // A database that does not answer is told by readiness.
        const state = await verification.readState().catch(() => undefined);
        const value = state && valueOf(state);
        if (value != null) this.set(value);
      },
    });
  gauge(
    'cairn_verification_progress_ratio',
    'Share of what is stored that the current verification has read; 1 between two of them.',
    ({ doneShare }) => doneShare,
  );
  gauge(
    'cairn_verification_ended_timestamp_seconds',
    'When everything stored was verified last, as Unix time; 0 before the first time.',
    ({ endedAtUs }) => (endedAtUs ?? 0) / 1e6,
  );
  gauge(
    'cairn_verification_differing_spans',
    'Rows of spans that the current or last verification found to differ from their originals.',
    ({ differingCount }) => differingCount,
  );
}

/** The same for people. */
export function describeVerification(state: VerificationState | undefined): Readonly<Record<string, unknown>> | null {
  if (state === undefined) return null;
  const { doneShare, startedAtUs, endedAtUs, differingCount } = state;
  return {
    progress: Math.floor(doneShare * 1000) / 1000,
    started_at: timeOf(startedAtUs),
    last_ended_at: timeOf(endedAtUs),
    differing_rows: differingCount,
  };
}

function timeOf(us: number | null): string | null {
  return us === null ? null : new Date(us / 1000).toISOString();
}
