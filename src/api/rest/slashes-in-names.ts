/** Names in the path of an address that contain slashes, as clients send them that do not encode names. */
import { partsOfPath, patternOfPath } from './path-pattern.ts';
import type { Route } from './route.ts';

/** Parameters of paths that may be a name that users choose. */
const NAMES: ReadonlySet<string> = new Set(['project_identifier', 'config_identifier', 'session_identifier']);

/** Longer addresses than names need are left as they are, so that matching stays cheap. */
const MAX_CHARACTERS = 4096;

/**
 * Encodes the slashes of names, as in `/v1/projects/org/app/spans`. An address that a route has as it is stays as it is; of several
 * routes that an address may mean, the one with the longest text around its parameters is meant.
 */
export function slashesInNames(routes: readonly Pick<Route, 'path'>[]): (url: string) => string {
  const paths = [...new Set(routes.map(({ path }) => path))];
  const exact = new RegExp(paths.map((path) => patternOfPath(path).source).join('|'), 's');
  const named = paths.filter((path) => partsOfPath(path).some(isName));
  const beginnings = [...new Set(named.map((path) => partsOfPath(path)[0] ?? ''))];
  const spanning = named
    .toSorted((a, b) => textLength(b) - textLength(a))
    .map((path) => patternOfPath(path, (part) => (isName(part) ? '[^/](?:.*[^/])?' : '[^/]+')));
  return (url) => {
    if (!beginnings.some((beginning) => url.startsWith(beginning))) return url;
    const [path = '', ...query] = url.split('?');
    if (path.length > MAX_CHARACTERS || exact.test(path)) return url;
    const parts = firstMatch(spanning, path);
    if (parts === undefined) return url;
    // A part of the text and a parameter follow each other; a parameter has no slash but those of a name.
    const encoded = parts.map((part, place) => (place % 2 === 1 ? part.replaceAll('/', '%2F') : part));
    return [encoded.join(''), ...query].join('?');
  };
}

function firstMatch(patterns: readonly RegExp[], path: string): readonly string[] | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(path);
    if (match !== null) return match.slice(1);
  }
  return undefined;
}

function isName(part: string): boolean {
  return NAMES.has(part.slice(1, -1));
}

function textLength(path: string): number {
  return path.replaceAll(/\{\w+\}/g, '').length;
}
