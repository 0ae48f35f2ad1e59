/** How commands that copy data are watched and stopped. */
import { AppError } from '#base/errors';
import type { CopyProgress } from '#store/sqlite/backup/back-up';
import { formatBytes } from './format-bytes.ts';

/**
 * Writes a line to standard error with each stage, and whenever a tenth more of one is done.
 * @param onChecking told before the stage that looks at nothing else until it ends
 */
export function progressPrinter(onChecking: () => void): (progress: CopyProgress) => void {
  let shown = '';
  return ({ stage, doneBytes, allBytes }) => {
    if (stage === 'checking') onChecking();
    const tenths = allBytes === 0 ? 0 : Math.floor((doneBytes / allBytes) * 10);
    if (shown === `${stage} ${tenths}`) return;
    shown = `${stage} ${tenths}`;
    const line =
      stage === 'checking'
        ? 'Checking the copy for damage.'
        : `${STAGES[stage]} ${tenths * 10} %: ${formatBytes(doneBytes)} of ${formatBytes(allBytes)}`;
    process.stderr.write(`${line}\n`);
  };
}

const STAGES = { copying: 'Copied', comparing: 'Compared' } as const;

/**
 * Runs what a signal stops: what is unfinished goes then, and what was there before stays. After `letGo` a signal ends the process
 * at once, for what does not look at the signal for long; the next run removes what that leaves.
 */
export async function stoppable<T>(
  run: (signal: AbortSignal, letGo: () => void) => Promise<T>,
  whatStays = 'Nothing has changed.',
): Promise<T> {
  const stopping = new AbortController();
  const stop = (signal: NodeJS.Signals) =>
    stopping.abort(new AppError('unavailable', `Stopped by ${signal}. ${whatStays}`));
  const letGo = () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await run(stopping.signal, letGo);
  } finally {
    letGo();
  }
}
