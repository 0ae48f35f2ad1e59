/** Single members of the flat objects that narrow rows hold, without reading the others. */
import { codesOfName, unpackMembers } from '#derive/narrow-codes';
import type { AttributeScalar } from './codec/scalars.ts';
import { isInside } from './hidden-attributes.ts';
import { MAY_LOSE_DIGITS, parseNarrowAttributes } from './narrow-attributes.ts';

/** What a row says of one path. */
export interface NarrowMember {
  /** `undefined` where the row does not hold it. */
  readonly value: AttributeScalar | undefined;
  /** Whether the row holds something inside it. */
  readonly isObject: boolean;
}

/** Reads one path of rows, which few paths need unpacked for it. */
export function memberReader(path: string): (packed: string) => NarrowMember {
  const key = JSON.stringify(path);
  const name = `${key}:`;
  const inside = `${key.slice(0, -1)}.`;
  const isPlain = PLAIN_START.test(path);
  const { own, others } = codesOfName(key, inside);
  return (packed) => {
    const isCoded = own !== undefined && packed.includes(own);
    const isMixed = (isCoded && packed.includes(name)) || others.some((code) => packed.includes(code));
    const attributes = isMixed ? unpackMembers(packed) : packed;
    const start = isCoded && !isMixed ? own : name;
    const mayHold = attributes.includes(start);
    const mayBeObject = attributes.includes(inside);
    if (!mayHold && !mayBeObject) return NOTHING;
    const value = isPlain && mayHold ? findValue(attributes, start) : undefined;
    const isObject = isPlain && mayBeObject ? startsKey(attributes, inside) : false;
    if (isPlain && value !== UNCLEAR && isObject !== UNCLEAR) return { value, isObject };
    const members = parseNarrowAttributes(attributes);
    return {
      value: Object.hasOwn(members, path) ? members[path] : undefined,
      isObject: mayBeObject && Object.keys(members).some((member) => isInside(member, path)),
    };
  };
}

const NOTHING: NarrowMember = { value: undefined, isObject: false };

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
    const end = attributes.indexOf('"', start + 1);
    const text = attributes.slice(start + 1, end);
    return end === -1 || text.includes('\\') ? UNCLEAR : text;
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
