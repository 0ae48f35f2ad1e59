/** Compares the attributes that a way out gives with those that came in, and with docs/dialects.md. */
import type { JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import { unflatten } from '#domain/unflatten';
import { DIALECTS } from '#normalize/dialects/all';
import type { Dialect } from '#normalize/dialects/dialect';
import { applyDialect, toEvidence } from '../../src/normalize/normalize-span.ts';
import { toPlainJson, type WireAttribute } from './evidence.ts';
import type { LoadedSpan } from './load-spans.ts';
import { mayDiffer } from './exceptions.ts';
import { type Attributes, canonical, readJson } from './reading.ts';
import { listTargets } from './targets.ts';

/** Is beside the attributes in both interfaces, where it has a place of its own. */
const KIND = 'openinference.span.kind';

/** What a way out gives of a span. */
export interface Given {
  readonly attributes: Attributes;
  /** The keys of what is beside them; absent if the way has no place for it. */
  readonly derived?: readonly string[];
}

/** What was lost, what was added although no dialect that speaks in the span lists it, and what is wrongly beside it. */
export function listFaults(
  loaded: LoadedSpan,
  sent: readonly WireAttribute[],
  { attributes, derived = [] }: Given,
  way = 'REST, a list',
): string[] {
  const came = nestAndFlatten(sent);
  came.delete(KIND);
  const speakers = listSpeakers(loaded);
  const isListed = (key: string, isDerived: boolean) =>
    speakers.some(({ docs }) => listTargets(docs, isDerived).some((target) => target.test(key)));
  const shown = new Map(Object.entries(attributes).map(([key, value]) => [key, canonical(value)]));
  shown.delete(KIND);
  return [
    ...[...came].flatMap(([key, text]) => (isShown(way, key, text, shown) ? [] : `lost ${key}`)),
    ...[...shown.keys()].flatMap((key) => (cameAs(key, came) || isListed(key, false) ? [] : `added ${key}`)),
    ...derived.flatMap((key) => (isListed(key, true) ? [] : `derived ${key}`)),
  ].map((fault) => `${loaded.original.name}: ${fault} (${speakers.map(({ name }) => name).join(', ')})`);
}

function listSpeakers(loaded: LoadedSpan): readonly Dialect[] {
  const known = SPEAKERS.get(loaded) ?? findSpeakers(loaded);
  SPEAKERS.set(loaded, known);
  return known;
}

/** A span is read in several ways. */
const SPEAKERS = new WeakMap<LoadedSpan, readonly Dialect[]>();

function findSpeakers({ original, scope, resource, records }: LoadedSpan): Dialect[] {
  const evidence = toEvidence(original, scope, resource, records);
  return DIALECTS.filter((dialect) => {
    const speaks = dialect.speaks(evidence);
    if (speaks) applyDialect(dialect, evidence);
    return speaks;
  });
}

/** Keys as nesting them leaves them, which closes gaps between indexes. */
function nestAndFlatten(attributes: readonly WireAttribute[]): Map<string, string> {
  const entries = attributes.map(({ key, value }) => [key, toPlainJson(value) as JsonValue] as [string, JsonValue]);
  return new Map(flattenAttributes(unflatten(entries)).map(([key, value]) => [key, canonical(value)]));
}

/** The dotted keys of a value: maps and lists of maps are walked. */
function listLeaves(key: string, value: unknown): [key: string, text: string][] {
  if (typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some(isObject))) {
    const entries = Object.entries(value);
    if (entries.length > 0) return entries.flatMap(([name, item]) => listLeaves(`${key}.${name}`, item));
  }
  return [[key, canonical(value)]];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** As it was sent, or as the JSON that its text is. */
function isShown(way: string, key: string, text: string, shown: ReadonlyMap<string, string>): boolean {
  const leaves = listLeaves(key, readJson(text));
  return (
    shown.get(key) === text ||
    leaves.every(([leaf, leafText]) => shown.get(leaf) === leafText || mayDiffer(way, leaf, leafText))
  );
}

function cameAs(key: string, came: ReadonlyMap<string, string>): boolean {
  if (came.has(key)) return true;
  return [...came].some(([sent, text]) => key.startsWith(`${sent}.`) && isObject(readJson(text)));
}
