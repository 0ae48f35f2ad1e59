/** Whatever dialects make of a span, nothing that was sent is lost: not on its page, and not in its original. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, JsonNumber, type JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import type { AnyValue, KeyValue } from '#otlp/messages';
import { normalizeSpan } from '../../src/normalize/normalize-span.ts';
import { orInLongRun } from '../harness/long-run.ts';
import { getJson } from '../harness/rest.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { otlpResource, otlpScope, otlpSpan } from '../support/otlp-span.ts';
import { readWire, toPlainJson, type WireAttribute, type WireSpan } from './evidence.ts';
import { type LoadedSpan, loadSpans } from './load-spans.ts';
import { sendRequests } from './read-over-rest.ts';
import { canonical } from './reading.ts';
import { listFolders, readScenarios } from './recording.ts';
import { listFaults } from './sent-attributes.ts';
import { mayDiffer } from './exceptions.ts';
import { MADE_UP } from './made-up.ts';
import { readEveryWay } from './ways-out.ts';

const REQUESTS = new Map([
  ...listFolders().map((folder) => [folder, readScenarios(folder).flatMap(({ requests }) => requests)] as const),
  ['made-up', [MADE_UP]],
]);
const RECORDED_BY_FOLDER = new Map([...REQUESTS].map(([folder, requests]) => [folder, loadSpans(requests)]));
const RECORDED: readonly LoadedSpan[] = listFolders().flatMap((folder) => RECORDED_BY_FOLDER.get(folder) ?? []);

/** Names of OpenInference, which are completed and put right where they stand; what was sent is in the original. */
const REWRITTEN =
  /^(?:openinference\.|llm\.|input\.|output\.|metadata|tag\.|tool\.|embedding\.|retrieval\.|reranker\.|session\.|user\.|agent\.|graph\.|prompt\.|document)/;

describe('the attributes of a span', () => {
  it.each(listFolders())('are shown as they were sent, beside what they mean: %s', (folder) => {
    for (const span of loadSpans(REQUESTS.get(folder) ?? [])) expect(listLost(span)).toEqual([]);
  });

  it('are shown whatever dialects speak together, with any values', () => {
    // By their places, so that a counterexample can be read.
    const recorded = fc.nat({ max: RECORDED.length - 1 });
    const value = fc.oneof(
      // What a database cannot hold is another test's.
      fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !text.includes('\0') && text.isWellFormed()),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.json(),
      fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
    ) satisfies fc.Arbitrary<AnyValue>;
    const mixed = fc.record({
      spans: fc.array(recorded, { minLength: 1, maxLength: 3 }),
      kept: fc.array(fc.nat(), { maxLength: 60 }),
      changed: fc.array(fc.tuple(fc.nat(), value), { maxLength: 8 }),
    });
    fc.assert(
      fc.property(mixed, ({ spans, kept, changed }) => {
        const chosen = spans.flatMap((place) => RECORDED[place] ?? []);
        expect(listLost(mixSpans(chosen, kept, changed))).toEqual([]);
      }),
      { numRuns: orInLongRun(500, 1500) },
    );
  });
});

describe('the original of a trace', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  it.concurrent.each([...REQUESTS.keys()])(
    'has every attribute, and every way out gives them beside what is listed: %s',
    async (folder) => {
      const requests = REQUESTS.get(folder) ?? [];
      await sendRequests({ url: server.url, grpcAddress: server.grpcAddress, project: folder }, requests);
      const sent = readWire(requests).spans.map(({ span }) => span);
      const stored: WireSpan[] = [];
      for (const traceId of new Set(sent.map((span) => span.traceId))) {
        const path = `${server.url}/v1/traces/${traceId}/original?format=json`;
        const { resourceSpans } = await getJson<Original>(path);
        stored.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      }
      const byId = (a: WireSpan, b: WireSpan) => (a.spanId < b.spanId ? -1 : 1);
      expect(stored.sort(byId)).toEqual(sent.toSorted(byId));
      const wire = new Map(sent.map((span) => [span.spanId, span]));
      const spans = new Map(RECORDED_BY_FOLDER.get(folder)?.map((span) => [idOf(span), span]));
      const faults = (await readEveryWay(server.url, folder)).flatMap(({ way, spans: given }) => [
        ...(given.size === (way === 'REST, one span' ? 1 : spans.size) ? [] : [`${way}: ${given.size} spans`]),
        ...[...given].flatMap(([id, one]) => {
          const loaded = spans.get(id);
          const { attributes = [], events = [], links = [] } = wire.get(id) ?? {};
          if (loaded === undefined) return [`${way}: a span ${id}`];
          const lost = [
            ...comparePairs(way, events, one.events, ({ name }) => name ?? ''),
            ...comparePairs(way, links, one.links, ({ spanId }) => spanId),
          ];
          return [...listFaults(loaded, attributes, one, way), ...lost].map((fault) => `${way}: ${fault}`);
        }),
      ]);
      expect([...new Set(faults)]).toEqual([]);
    },
  );
});

function idOf({ original }: LoadedSpan): string {
  return Buffer.from(original.spanId).toString('hex');
}

interface WithAttributes {
  readonly attributes?: readonly WireAttribute[];
}

/** Events or links with those that a way out gives, if it does: in order, each attribute as it was sent. */
function comparePairs<Sent extends WithAttributes>(
  way: string,
  sent: readonly Sent[],
  given: readonly (Sent | { readonly attributes: unknown })[] | undefined,
  nameOf: (one: Sent) => string,
): string[] {
  if (given === undefined) return [];
  if (given.length !== sent.length) return [`${given.length} of ${sent.length} events or links`];
  return sent.flatMap((one, place) => {
    const other = given[place];
    if (other === undefined || nameOf(other as Sent) !== nameOf(one)) return [`${nameOf(one)} is not at ${place}`];
    const { attributes = [] } = one;
    const came = Object.fromEntries(attributes.map(({ key, value }) => [key, toPlainJson(value) as JsonValue]));
    const shown = new Map(flattenAttributes(other.attributes as JsonObject));
    const leaves = flattenAttributes(came).map(([key, value]) => [key, canonical(value)] as const);
    return [
      ...leaves.flatMap(([key, text]) =>
        canonical(shown.get(key)) === text || mayDiffer(way, key, text) ? [] : [`${nameOf(one)} lost ${key}`],
      ),
      ...(shown.size > leaves.length ? [`${nameOf(one)} has more attributes`] : []),
    ];
  });
}

interface Original {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[] }[];
}

/** One span that says what several say, each key once. */
function mixSpans(
  spans: readonly LoadedSpan[],
  kept: readonly number[],
  changed: readonly (readonly [number, AnyValue])[],
): LoadedSpan {
  const all = spans.flatMap(({ original }) => original.attributes);
  const byKey = new Map(kept.flatMap((place): [string, AnyValue][] => toEntry(all, place)));
  for (const [place, value] of changed) for (const [key] of toEntry(all, place)) byKey.set(key, value);
  const attributes = [...byKey].map(([key, value]) => ({ key, value }));
  const events = spans.flatMap(({ original }) => original.events);
  return {
    original: otlpSpan({ attributes, events }),
    scope: spans[0]?.scope ?? otlpScope(),
    resource: spans[0]?.resource ?? otlpResource(),
    records: spans.flatMap(({ records }) => records),
  };
}

function toEntry(all: readonly KeyValue[], place: number): [string, AnyValue][] {
  const one = all[place % Math.max(all.length, 1)];
  return one === undefined ? [] : [[one.key, one.value]];
}

/** Attributes that were sent and are shown nowhere as such. */
function listLost({ original, scope, resource, records }: LoadedSpan): string[] {
  const { attributes } = normalizeSpan(original, scope, resource, 0n, records);
  const shown = new Map(flattenAttributes(attributes).map(([key, value]) => [key, plain(value)]));
  return original.attributes
    .filter(({ key, value }) => value !== null && !REWRITTEN.test(key))
    .flatMap(({ key, value }) => listLeaves(key, value))
    .filter(([key, text]) => shown.get(key) !== text)
    .map(([key, text]) => `${key} = ${text}, not ${shown.get(key)}`);
}

/** The dotted keys of a value: maps and lists of maps are walked. */
function listLeaves(key: string, value: AnyValue): [key: string, text: string][] {
  if (typeof value === 'object' && value !== null && 'entries' in value && !Array.isArray(value)) {
    const entries = (value as { entries: readonly KeyValue[] }).entries;
    if (entries.length > 0) return entries.flatMap((entry) => listLeaves(`${key}.${entry.key}`, entry.value));
    return [[key, '{}']];
  }
  const isWalked =
    Array.isArray(value) &&
    value.some((item) => typeof item === 'object' && item !== null && 'entries' in (item as object));
  if (isWalked) return (value as readonly AnyValue[]).flatMap((item, place) => listLeaves(`${key}.${place}`, item));
  return [[key, plain(value)]];
}

/** A value as text, whichever of the two models it is of. */
function plain(value: AnyValue | JsonValue): string {
  if (typeof value === 'bigint') return value.toString();
  // A double that is whole is shown with a fraction.
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? value.text : plain(Number(value.text));
  if (Array.isArray(value)) return `[${(value as readonly (AnyValue | JsonValue)[]).map(plain).join(',')}]`;
  return JSON.stringify(value);
}
