import type { OptimizationDirection } from '#domain/annotation-config';

/** What people call the directions. */
export const DIRECTIONS: Readonly<Record<OptimizationDirection, { readonly short: string; readonly label: string }>> = {
  MAXIMIZE: { short: 'Higher', label: 'Higher scores are better' },
  MINIMIZE: { short: 'Lower', label: 'Lower scores are better' },
  NONE: { short: 'Neither', label: 'Neither is better' },
};
