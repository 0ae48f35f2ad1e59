import type { ViewPart } from './view-state.ts';

/** Describes how a table differs from its view. */
export function describeChanges(parts: readonly ViewPart[]): string {
  return `Changed: ${new Intl.ListFormat('en-GB').format(parts)}`;
}
