/** Paths as routes declare them, in which a parameter is written `{name}`. */

/** Text and parameters in turns, text first and last. */
export function partsOfPath(path: string): readonly string[] {
  return path.split(/(\{\w+\})/);
}

/** What matches addresses of the path, each of its parts a group; a parameter is one segment unless said otherwise. */
export function patternOfPath(path: string, parameter: (part: string) => string = () => '[^/]+'): RegExp {
  const groups = partsOfPath(path).map((part, place) => `(${place % 2 === 1 ? parameter(part) : literal(part)})`);
  return new RegExp(`^${groups.join('')}$`, 's');
}

/** The same path as Fastify writes it. */
export function toFastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The text as a part of a regular expression that matches it alone. */
function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
