/**
 * Distinguished names, the paths of entries in a directory.
 * @see https://www.rfc-editor.org/rfc/rfc4514
 */

/**
 * A form that is equal for two texts of the same name: without regard to case, to blanks around and within values, to the way in which
 * characters are escaped, and to the order within a part of several attributes. `null` for a text that is no distinguished name.
 */
export function canonicalDn(text: string): string | null {
  if (text.trim() === '') return '';
  const parts = splitUnescaped(text, ',').map(canonicalPart);
  return parts.includes(null) ? null : parts.join(',');
}

/** Whether a text is a distinguished name; the empty one, of the root, is. */
export function isDn(text: string): boolean {
  return canonicalDn(text) !== null;
}

/** One value of an attribute as part of a distinguished name. */
export function escapeDnValue(value: string): string {
  return value
    .replaceAll(/[\\,+"<>;=]/g, String.raw`\$&`)
    .replaceAll('\0', String.raw`\00`)
    .replace(/^[ #]/, String.raw`\$&`)
    .replace(/ $/, String.raw`\ `);
}

function canonicalPart(text: string): string | null {
  const pairs = splitUnescaped(text, '+').map(canonicalPair);
  return pairs.includes(null) ? null : pairs.toSorted(byText).join('+');
}

function byText(one: string | null, other: string | null): number {
  return (one ?? '') < (other ?? '') ? -1 : 1;
}

function canonicalPair(text: string): string | null {
  const [, type, given] = PAIR.exec(text) ?? [];
  if (type === undefined || given === undefined) return null;
  const value = readValue(given);
  if (value === null || value === '') return null;
  const compared = value.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
  return `${type.toLowerCase().replace(/^oid\./, '')}=${escapeDnValue(compared)}`;
}

/** An attribute's name or number, and its value, with blanks that do not count around both. */
const PAIR = /^\s*([a-z][a-z0-9-]*|(?:oid\.)?\d+(?:\.\d+)+)\s*=\s*(.*)$/is;

/** What a value means; `null` where it is malformed. */
function readValue(given: string): string | null {
  if (given.startsWith('#')) return /^#(?:[0-9a-f]{2})+\s*$/i.test(given) ? given.trim() : null;
  // A blank at the end counts where it is escaped.
  const text = /\\\s+$/.test(given) ? given.trimEnd() + ' ' : given.trimEnd();
  if (!VALUE.test(text)) return null;
  const bytes: Buffer[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^\\[0-9a-f]{2}$/i.test(token)) bytes.push(Buffer.from(token.slice(1), 'hex'));
    else bytes.push(Buffer.from(token.startsWith('\\') ? token.slice(1) : token));
  }
  return Buffer.concat(bytes).toString();
}

const TOKEN = /\\[0-9a-f]{2}|\\.|[^\\]+/gis;

/** Characters that separate and quote stand here escaped alone, and an escape has something after it. */
const VALUE = /^(?:\\[0-9a-f]{2}|\\[ "#+,;<=>\\]|[^\\"+,;<>\0])*$/i;

function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [''];
  for (const [token] of text.matchAll(/\\.|[^\\]|\\$/gs)) {
    if (token === separator) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}
