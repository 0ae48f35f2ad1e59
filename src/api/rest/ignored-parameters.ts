/** How an answer tells of parameters that its route does not know: they change nothing, for clients of other versions send some. */

/** Their names, percent-encoded, a comma between two. */
export const IGNORED_PARAMETERS_HEADER = 'x-cairn-ignored-parameters';

/** The value of the header: a bounded number of the names, each in bounds. */
export function formatIgnoredParameters(names: readonly string[]): string {
  const told = names.slice(0, MAX_NAMES).map((name) => encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed()));
  return told.join(', ');
}

const MAX_NAMES = 10;
const MAX_NAME = 100;
