import type { Coordination } from '../coordination/port.ts';
import type { StoreThreads } from '../store-threads.ts';
import { orUnavailable } from '../threads/or-unavailable.ts';
import type { VerificationState } from '../verification/plan-verification.ts';
import { type VerificationPace, verificationJob } from '../verification/verification-job.ts';

/** How fast everything is verified. */
export interface Verifying {
  readonly pace: VerificationPace;
}

/** The verification as every server is asked for it, whichever does the work. */
export interface Verification {
  /** How far it is; `undefined` where the database has no such job. */
  readState(): Promise<VerificationState | undefined>;
}

/** Verifies what is stored with these threads, while this server holds that job. */
export function coordinateVerification(
  { pace }: Verifying,
  { writer, readers, background }: StoreThreads,
  coordination: Pick<Coordination, 'serve'>,
  onError: (error: unknown) => void,
): Verification {
  coordination.serve('verification', () =>
    verificationJob({
      pace,
      plan: (nowUs) => background.call('planVerification', [nowUs]),
      nowUs: () => Date.now() * 1000,
      advance: (plan) => writer.call('advanceVerification', [plan]),
      isBusy: () => writer.pendingCount > 0,
      onError,
    }),
  );
  return { readState: () => orUnavailable(readers.callUnrefused('readVerification', [])) };
}
