/** Single members of the flat objects that narrow rows hold, without reading the others. */
import { endOfString } from '#base/json-string';
import { codesOfName } from './narrow-codes.ts';
import { type AttributeScalar, MAY_LOSE_DIGITS, parseNarrowAttributes } from './narrow-attributes.ts';

/** Reads one path of rows. Few paths need a row unpacked for it. */
export interface NarrowMember {
  /** `undefined` where the row does not hold it. */
  readonly valueIn: (packed: string) => AttributeScalar | undefined;
  /** Whether the row holds something inside it. */
  readonly isObjectIn: (packed: string) => boolean;
}

/** Where a name has a code, no row that has codes holds it in full. */
export function narrowMember(path: string): NarrowMember {
  const key = JSON.stringify(path);
  const name = `${key}:`;
  const inside = `${key.slice(0, -1)}.`;
  const isPlain = PLAIN_START.test(path);
  const codes = codesOfName(key, inside);
  const signs = [
    ...(codes.own === undefined ? [] : [{ code: codes.own, value: undefined }]),
    ...codes.members.map(([code, json]) => ({ code, value: JSON.parse(json) as string })),
  ];
  const readAll = (packed: string) => {
    const members = parseNarrowAttributes(packed);
    return Object.hasOwn(members, path) ? members[path] : undefined;
  };
  return {
    valueIn(packed) {
      let value: AttributeScalar | undefined | typeof UNCLEAR;
      for (const sign of signs) {
        const at = packed.indexOf(sign.code);
        if (at === -1) continue;
        const end = at + sign.code.length;
        if (value !== undefined || packed.includes(sign.code, end)) return readAll(packed);
        value = sign.value ?? readValue(packed, end);
      }
      if (value === undefined && packed.includes(name)) value = isPlain ? findValue(packed, name) : UNCLEAR;
      return value === UNCLEAR ? readAll(packed) : value;
    },
    isObjectIn(packed) {
      if (codes.inside.some((code) => packed.includes(code))) return true;
      if (!packed.includes(inside)) return false;
      const isObject = isPlain ? startsKey(packed, inside) : UNCLEAR;
      if (isObject !== UNCLEAR) return isObject;
      return Object.keys(parseNarrowAttributes(packed)).some((member) => isInside(member, path));
    },
  };
}

/** Only reading the whole object tells. */
const UNCLEAR = Symbol('unclear');

/** A quote before one of these begins a text: what ends one is followed by a sign. */
const PLAIN_START = /^\w/;

/** The value of the last member of that name, as everybody reads JSON. */
function findValue(attributes: string, own: string): AttributeScalar | undefined | typeof UNCLEAR {
  for (let at = attributes.lastIndexOf(own); at !== -1; at = attributes.lastIndexOf(own, at - 1)) {
    const before = attributes[at - 1];
    // One in a text, where quotes are escaped.
    if (before === '\\') continue;
    return before === '{' || before === ',' ? readValue(attributes, at + own.length) : UNCLEAR;
  }
  return undefined;
}

function readValue(attributes: string, start: number): AttributeScalar | typeof UNCLEAR {
  if (attributes[start] === '"') {
    const end = endOfString(attributes, start);
    if (end === attributes.length) return UNCLEAR;
    const text = attributes.slice(start + 1, end);
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  }
  let end = start;
  while (end < attributes.length && attributes[end] !== ',' && attributes[end] !== '}') end++;
  const token = attributes.slice(start, end);
  if (MAY_LOSE_DIGITS.test(`:${token},`)) return UNCLEAR;
  switch (token) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    default:
      return PLAIN_NUMBER.test(token) ? Number(token) : UNCLEAR;
  }
}

const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** Whether the name of a member begins so. */
function startsKey(attributes: string, start: string): boolean | typeof UNCLEAR {
  for (let at = attributes.indexOf(start); at !== -1; at = attributes.indexOf(start, at + 1)) {
    const before = attributes[at - 1];
    if (before === '{' || before === ',') return true;
    // In a text, or at the beginning of one that is a value.
    if (before !== '\\' && before !== ':') return UNCLEAR;
  }
  return false;
}

/** Whether a key names something inside what another names. */
export function isInside(key: string, outer: string): boolean {
  return key.length > outer.length && key.charCodeAt(outer.length) === DOT && key.startsWith(outer);
}

const DOT = 46;
