/** Attributes are what was sent, and what docs/dialects.md lists: everything else is beside them. */
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import { unflatten } from '#domain/unflatten';
import { DIALECTS } from '#normalize/dialects/all';
import type { Dialect } from '#normalize/dialects/dialect';
import { applyDialect, toEvidence } from '../../src/normalize/normalize-span.ts';
import { type LoadedSpan, loadSpans } from './load-spans.ts';
import { presentLoaded } from './read-in-process.ts';
import { listTargets } from './targets.ts';
import { readWire, toPlainJson, type WireAttribute } from './evidence.ts';
import { canonical, readJson } from './reading.ts';
import { listFolders, readScenarios } from './recording.ts';

/** Is beside the attributes in both interfaces, where it has a place of its own. */
const KIND = 'openinference.span.kind';

describe('the attributes of', () => {
  it.each(listFolders())('%s are those sent, and the listed ones', (folder) => {
    const requests = readScenarios(folder).flatMap((scenario) => scenario.requests);
    const sent = new Map(readWire(requests).spans.map(({ span }) => [span.spanId, span.attributes ?? []]));
    const faults = loadSpans(requests).flatMap((loaded) => {
      const { name, context, attributes, derived_attributes: derived = {} } = presentLoaded(loaded).shown;
      const came = nestAndFlatten(sent.get(context.span_id) ?? []);
      came.delete(KIND);
      const speakers = listSpeakers(loaded);
      const isListed = (key: string, isDerived: boolean) =>
        speakers.some(({ docs }) => listTargets(docs, isDerived).some((target) => target.test(key)));
      const shown = new Map(Object.entries(attributes).map(([key, value]) => [key, canonical(value)]));
      return [
        ...[...came].flatMap(([key, text]) => (isShown(key, text, shown) ? [] : `lost ${key}`)),
        ...[...shown.keys()].flatMap((key) => (cameAs(key, came) || isListed(key, false) ? [] : `added ${key}`)),
        ...Object.keys(derived).flatMap((key) => (isListed(key, true) ? [] : `derived ${key}`)),
      ].map((fault) => `${name}: ${fault} (${speakers.map((dialect) => dialect.name).join(', ')})`);
    });
    expect([...new Set(faults)]).toEqual([]);
  });
});

function listSpeakers({ original, scope, resource, records }: LoadedSpan): Dialect[] {
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
function isShown(key: string, text: string, shown: ReadonlyMap<string, string>): boolean {
  const leaves = listLeaves(key, readJson(text));
  return shown.get(key) === text || leaves.every(([leaf, leafText]) => shown.get(leaf) === leafText);
}

function cameAs(key: string, came: ReadonlyMap<string, string>): boolean {
  if (came.has(key)) return true;
  return [...came].some(([sent, text]) => key.startsWith(`${sent}.`) && isObject(readJson(text)));
}
