/** The attributes of narrow rows, as values that keep type and digits. */
import { type JsonNumber, parseJson } from '#base/json';
import { unpackMembers, unpackNames } from './narrow-codes.ts';

/** A value that a narrow row holds of an attribute. Integers beyond 2^53, and floats that are whole, keep their digits. */
export type AttributeScalar = string | number | boolean | null | JsonNumber;

/** The members of the flat object that `attributes` holds; look keys up as own properties only. */
export function parseNarrowAttributes(packed: string): Readonly<Record<string, AttributeScalar>> {
  const text = unpackMembers(packed);
  return (MAY_LOSE_DIGITS.test(text) ? parseJson(text) : JSON.parse(text)) as Record<string, AttributeScalar>;
}

/** Exact parsing takes several times as long: it is for numbers that are whole floats, or have an exponent or many digits. */
export const MAY_LOSE_DIGITS = /:-?(?:[\d.]{16}|\d+\.0*[,}]|[\d.]+[eE])/;

/** The entries of `omitted_attributes`. */
export function parseOmitted(text: string | null): readonly string[] {
  return text === null ? [] : (JSON.parse(unpackNames(text)) as string[]);
}
