/** How long the bar of a duration is. */

/** What most rows do not exceed: against a bar for the longest of all, one slow row would make all others alike. */
const SHARE = 0.95;

/** Milliseconds that fill the place of a bar; longer ones fill it too. */
export function durationScale(durationsMs: readonly (number | null | undefined)[]): number {
  const ascending = durationsMs.filter((ms) => typeof ms === 'number').toSorted((one, other) => one - other);
  return Math.max(ascending[Math.ceil((ascending.length - 1) * SHARE)] ?? 0, 1);
}
