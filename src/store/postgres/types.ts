/** What PostgreSQL's values are here: numbers are numbers, and bytes are `Uint8Array`s of their own. */
import type pg from 'pg';
import { StorageError } from '../engine/storage-error.ts';

/** Parsers of results in PostgreSQL's text format; types without one stay text. */
export const RESULT_TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => PARSERS.get(oid) ?? asText,
};

/** Object ids of types, which are the same in every database (`pg_type.dat`). */
export const TYPE = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  float4: 700,
  float8: 701,
  numeric: 1700,
} as const;

const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [TYPE.bool, (text) => text === 't'],
  [TYPE.bytea, toBytes],
  [TYPE.int2, Number],
  [TYPE.int4, Number],
  [TYPE.int8, toInteger],
  [TYPE.oid, Number],
  [TYPE.float4, Number],
  [TYPE.float8, Number],
  // What sum and avg of integers give.
  [TYPE.numeric, (text) => (/^-?\d+$/.test(text) ? toInteger(text) : Number(text))],
]);

function asText(text: string): string {
  return text;
}

/** @throws StorageError for a number that would become another one */
function toInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new StorageError('statement', `${text} is no safe integer`, undefined);
  return value;
}

/** Not a part of Node's pool: where one is handed to another thread, the whole pool would be. */
function toBytes(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow((text.length - HEX_PREFIX) / 2);
  bytes.write(text.slice(HEX_PREFIX), 'hex');
  return bytes;
}

/** `\x`. */
const HEX_PREFIX = 2;
