/** What a picture of traces over time says, in words. */
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import type { TraceBar } from './project-figures.ts';

/** `1,234 traces, 12 with errors. Busiest: Nov 20, 10:00 – 11:00 (45). Errors in 3 of 28 bars, last Nov 20, 12:00 – 13:00.` */
export function describeTraces(bars: readonly TraceBar[], zone: string): string {
  const count = bars.reduce((sum, bar) => sum + bar.count, 0);
  const errorCount = bars.reduce((sum, bar) => sum + bar.errorCount, 0);
  if (count === 0) return 'No traces';
  const most = bars.reduce((best, bar) => (bar.count > best.count ? bar : best));
  const failed = bars.filter((bar) => bar.errorCount > 0);
  const last = failed.at(-1);
  return [
    `${formatExact(count)} ${nounOf(count, 'traces')}, ${errorCount === 0 ? 'none' : formatExact(errorCount)} with errors.`,
    `Busiest: ${timeOf(most, zone)} (${formatExact(most.count)}).`,
    ...(last === undefined
      ? []
      : [`Errors in ${failed.length} of ${bars.length} ${nounOf(bars.length, 'bars')}, last ${timeOf(last, zone)}.`]),
  ].join(' ');
}

function timeOf({ startMs, endMs }: TraceBar, zone: string): string {
  const [start, end] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  return formatTimeRange({ kind: 'between', start, end }, zone);
}
