/** More than that, in the second half of a run, is growth: less is when garbage is collected. */
const MOST_GROWTH_MB = 40;

/**
 * The median of each fifth of the samples. The first fifth is when caches fill.
 * @throws Error where the last fifth has more than the second and the third
 */
export function describeGrowth(samples: readonly number[]): string {
  const fifths = [0, 1, 2, 3, 4].map((part) => {
    const ordered = samples
      .slice(Math.floor((part * samples.length) / 5), Math.floor(((part + 1) * samples.length) / 5))
      .toSorted((a, b) => a - b);
    return ordered[Math.floor(ordered.length / 2)] ?? 0;
  });
  const text = `medians of fifths ${fifths.map((mb) => mb.toFixed(0)).join(', ')} MB`;
  const [, second = 0, third = 0, , last = 0] = fifths;
  if (last > Math.max(second, third) + MOST_GROWTH_MB) throw new Error(`memory grows: ${text}`);
  return text;
}
