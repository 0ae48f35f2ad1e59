import type { ViewPart } from './view-state.ts';

/** Says what of a table is not as in its view. */
export function describeChanges(parts: readonly ViewPart[]): string {
  return `Changed: ${new Intl.ListFormat('en-GB').format(parts)}`;
}
