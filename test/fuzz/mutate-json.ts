/** Changes JSON values so that they stay JSON. */
import { pick, type Random } from './random.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Changes one thing somewhere in the tree of the value, in place; returns what stands in its place. */
export function mutateJson(random: Random, value: Json): Json {
  if (typeof value !== 'object' || value === null || random(12) === 0) return replace(random, value);
  const names = Object.keys(value);
  const members = value as Record<string, Json>;
  const name = pick(random, names);
  if (name === undefined || random(10) === 0) {
    const newName = Array.isArray(value) ? String(value.length) : pick(random, NAMES);
    members[newName] = pickValue(random);
  } else if (random(15) === 0) {
    if (Array.isArray(value)) value.splice(Number(name), 1);
    else delete members[name];
  } else {
    members[name] = mutateJson(random, members[name] as Json);
  }
  return value;
}

function replace(random: Random, value: Json): Json {
  switch (random(6)) {
    case 0:
      return [value];
    case 1:
      return { [pick(random, NAMES)]: value };
    case 2:
      return typeof value === 'number' || typeof value === 'string' ? String(value) : structuredClone(value);
    default:
      return pickValue(random);
  }
}

function pickValue(random: Random): Json {
  return structuredClone(pick(random, VALUES));
}

/** Names that mean something, in other words too, and names that objects of JavaScript have. */
const NAMES = [
  'stringValue',
  'boolValue',
  'intValue',
  'doubleValue',
  'arrayValue',
  'kvlistValue',
  'bytesValue',
  'string_value',
  'values',
  'key',
  'value',
  'traceId',
  'trace_id',
  'attributes',
  'events',
  'status',
  'kind',
  'flags',
  '__proto__x',
  'constructor',
  'toString',
  'unknown',
] as const;

/** What a member may be exchanged for. */
const NUMBERS = [0, -0, 1, -1, 7, 1.5, 1e3, -1e-9, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 1e300];
const NUMBERS_AS_TEXT =
  '12 -12 1.0 1e3 1.5 +1 0x10 01 1e400 NaN Infinity -Infinity 4294967295 4294967296 9223372036854775807 9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616';
const WORDS = 'x true null SPAN_KIND_CLIENT STATUS_CODE_ERROR CLIENT AAEC AAE AA A AA== A=== -_8 +/8=';
const TEXTS = ['', ' 1', '\uD800', '\u0000', '5b8efff798038103d269b633813fc60c'];
const CONTAINERS: readonly Json[] = [
  [],
  {},
  [null],
  [[]],
  [{}],
  { stringValue: 'x' },
  { stringValue: 'x', intValue: '1' },
  { arrayValue: { values: [{ intValue: 1 }, {}] } },
  { kvlistValue: { values: [{ key: 'k' }] } },
];
const VALUES: readonly Json[] = [
  null,
  true,
  false,
  ...NUMBERS,
  ...NUMBERS_AS_TEXT.split(' '),
  ...WORDS.split(' '),
  ...TEXTS,
  ...CONTAINERS,
];
