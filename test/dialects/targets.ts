/** The names that docs/dialects.md lists for a dialect. */
import type { DialectDocs } from '#normalize/dialects/dialect';

/** What matches the keys that a dialect adds, or derives: its names, and all that continue them by an index or a map. */
export function listTargets({ mappings }: DialectDocs, isDerived: boolean): RegExp[] {
  return (
    mappings
      .filter((mapping) => (mapping.isDerived === true) === isDerived)
      // What keeps its name adds none.
      .filter(({ to }) => isDerived || to !== 'the same')
      .flatMap(({ from, to }) => (to === 'the same' ? from : to).split(/[,;] /))
      .flatMap((name) => toPattern(name.trim()) ?? [])
  );
}

/** Nothing for words that are no name. */
function toPattern(name: string): RegExp | undefined {
  const [key = ''] = name.split(' ');
  if (!/^[a-z][\w.*]*$/.test(key)) return undefined;
  // The type of a value comes with it.
  const pattern = key
    .replace(/^(input|output)\.value$/, '$1.*')
    .replaceAll('.', '\\.')
    .replace(/\\\.\*$/, '(\\..*)?')
    .replaceAll('*', '\\w*')
    .replace(/\\\.[NM]\b/g, '\\.\\d+');
  return new RegExp(`^${pattern}(\\.|$)`);
}
