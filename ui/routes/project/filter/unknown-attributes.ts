/** Attributes that a filter of spans names and that no span seems to have: slips of a finger, as a rule. */
import { nearestName } from '#filter/check/nearest-name';
import { formatAttribute } from '#filter/format';
import { mentionsOf } from '#filter/mentions';
import { parseFilter } from '#filter/parse-filter';
import { filterVocabulary } from '#filter/vocabulary';

/** An attribute as it is written in filters. */
export interface UnknownAttribute {
  readonly written: string;
  /** The name that is nearly the same; undefined where none is. */
  readonly meant: string | undefined;
}

/**
 * Paths that a filter of spans names. Those that are fields are meant as they are written, and what lies in lists is
 * not observed.
 */
export function doubtfulPaths(filter: string): readonly string[] {
  const { condition } = parseFilter('span', filter);
  if (condition === null) return [];
  return [...mentionsOf(condition).attributes].filter((path) => !FIELDS.includes(path) && !HAS_PLACE.test(path));
}

/** Those of the paths that are not observed, neither themselves nor what they lie in or hold. */
export function unknownAttributes(paths: readonly string[], observed: readonly string[]): readonly UnknownAttribute[] {
  return paths
    .filter((path) => !observed.some((known) => `${known}.`.startsWith(`${path}.`) || path.startsWith(`${known}.`)))
    .map((path) => ({ written: formatAttribute('span', path), meant: nearest(path, observed) }));
}

function nearest(path: string, observed: readonly string[]): string | undefined {
  const near = nearestName(path, [...observed, ...FIELDS]);
  return near === undefined || FIELDS.includes(near) ? near : formatAttribute('span', near);
}

const FIELDS = filterVocabulary('span').flatMap(({ name, iterableName }) => (iterableName === null ? [name] : []));

const HAS_PLACE = /\.\d+(\.|$)/;
