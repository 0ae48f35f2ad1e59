/** Facts that `carried` names although nobody could show them, with the reason: docs/dialects.md repeats them. */

/** Facts of scenarios that need not be shown. */
export interface Exception {
  readonly folder: string;
  readonly scenarios: 'all' | readonly string[];
  readonly facts: readonly string[];
  readonly reason: string;
}

export const EXCEPTIONS: readonly Exception[] = [];
