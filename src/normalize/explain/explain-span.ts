/** Explains how a span is read, by the same dialects that read it. For people who ask; reading itself costs nothing more. */
import type { JsonValue } from '#base/json';
import type { InstrumentationScope, OtelResource, OtlpSpan } from '#otlp/messages';
import * as openinference from '#semconv/openinference';
import { DIALECTS } from '../dialects/all.ts';
import type { Dialect, SpanRecord } from '../dialects/dialect.ts';
import { readJsonText } from '../json-value.ts';
import { applyDialect, normalizeSpan, toEvidence } from '../normalize-span.ts';
import { readPythonContainer } from '../python-repr.ts';
import { EvidenceObserver } from './evidence-observer.ts';
import { type Causes, findCauses } from './find-causes.ts';
import { givesValue } from './gives-value.ts';
import { listSources, type SentParts, type SentSource, toSentParts } from './sent-parts.ts';
import type { DialectReading, OutputReading, SourceFate, SourceReading, SpanReading } from './span-reading.ts';
import { Trials } from './trials.ts';
import { WatchedAttributes } from './watched-attributes.ts';

/**
 * Explains a span. Never throws.
 * @param records the log records that are known to belong to the span
 */
export function explainSpan(
  original: OtlpSpan,
  scope: InstrumentationScope,
  resource: OtelResource,
  records: readonly SpanRecord[] = [],
): SpanReading {
  const parts = toSentParts(original, scope, resource, records);
  const sources = listSources(parts);
  const whole = translateWatched(parts);
  const trials = new Trials(parts, whole.speakers, whole.outputs, original.bytes.length);
  const origins = traceOrigins(whole, sources, findCauses(trials, sources, whole));
  const { traceId, spanId, name, kind } = normalizeSpan(original, scope, resource, 0n, records);
  return {
    traceId,
    spanId,
    name,
    kind,
    dialects: whole.dialects,
    sources: sources.flatMap((source) => {
      const reading = toSourceReading(source, whole, origins);
      return source.isAlwaysThere && reading.to.length === 0 ? [] : reading;
    }),
    outputs: origins.map((origin) => toOutputReading(origin, whole)),
    isComplete: !trials.isExhausted && parts.attributes.length === original.attributes.length,
  };
}

/** What the dialects made of the whole span, and what they looked at. */
interface WholeReading {
  readonly speakers: readonly Dialect[];
  readonly dialects: readonly DialectReading[];
  /** Keys that a dialect added or changed, with their values in the end. */
  readonly outputs: ReadonlyMap<string, JsonValue>;
  /** The names of the dialects that set each of them. */
  readonly setBy: ReadonlyMap<string, readonly string[]>;
  /** Attributes whose values dialects asked for by their keys. */
  readonly looked: ReadonlySet<string>;
  /** Attributes that are shown. */
  readonly shown: ReadonlySet<string>;
}

function translateWatched(parts: SentParts): WholeReading {
  const looked = new Set<string>();
  const attributes = new WatchedAttributes(parts.attributes, {
    onValue: (key) => looked.add(key),
    onPresence: () => undefined,
  });
  const evidence = { ...toEvidence(parts, parts.scope, parts.resource, parts.records), attributes };
  const observer = new EvidenceObserver(parts, evidence);
  const speakers: Dialect[] = [];
  const dialects: DialectReading[] = [];
  const setBy = new Map<string, string[]>();
  let before = new Map(attributes.entries());
  for (const dialect of DIALECTS) {
    if (!dialect.speaks(evidence)) continue;
    applyDialect(dialect, evidence);
    speakers.push(dialect);
    dialects.push({ name: dialect.name, title: dialect.docs.title, evidence: observer.evidenceOf(dialect) });
    const after = new Map(attributes.entries());
    for (const [key, value] of after) {
      if (before.get(key) !== value) setBy.set(key, [...(setBy.get(key) ?? []), dialect.name]);
    }
    before = after;
  }
  const outputs = new Map([...before].filter(([key]) => setBy.has(key)));
  const shown = new Set([...before.keys(), ...[...attributes.asides()].map(([key]) => key)]);
  return { speakers, dialects, outputs, setBy, looked, shown };
}

/** Where an output comes from. */
interface Origin {
  readonly key: string;
  readonly isNeeded: boolean;
  readonly from: readonly SentSource[];
  readonly dependsOn: readonly SentSource[];
}

function traceOrigins({ outputs }: WholeReading, sources: readonly SentSource[], causes: Causes): readonly Origin[] {
  return [...outputs].map(([key, value]) => {
    const { isNeeded = false, sourceIds } = causes.get(key) ?? {};
    const deciding = sources.filter(({ id }) => sourceIds?.has(id) === true);
    const giving = deciding.filter((source) => givesValue(source.values, value));
    if (giving.length === 0) return { key, isNeeded, from: deciding, dependsOn: [] };
    return { key, isNeeded, from: giving, dependsOn: deciding.filter((source) => !giving.includes(source)) };
  });
}

function toOutputReading({ key, from, dependsOn }: Origin, { setBy }: WholeReading): OutputReading {
  return {
    key,
    by: setBy.get(key) ?? [],
    from: from.map(({ label }) => label),
    dependsOn: dependsOn.map(({ label }) => label),
  };
}

function toSourceReading(source: SentSource, whole: WholeReading, origins: readonly Origin[]): SourceReading {
  const given = origins.filter(({ from }) => from.includes(source));
  const needing = given.filter(({ isNeeded }) => isNeeded);
  const decided = origins.filter(({ dependsOn }) => dependsOn.includes(source));
  // What several say is said of one of them that says nothing else.
  const to = [needing, given, decided].find((list) => list.length > 0) ?? [];
  return {
    label: source.label,
    count: source.count,
    fate: fateOf(source, whole, to.length > 0),
    to: to.map(({ key }) => key),
    fault: source.values.some(isBrokenJson) ? BROKEN_JSON : null,
  };
}

function fateOf({ key, label }: SentSource, { looked, shown }: WholeReading, isTranslated: boolean): SourceFate {
  if (isTranslated) return 'translated';
  if (key !== undefined && !shown.has(key)) return 'empty';
  if (isOpenInference(key ?? label)) return 'openinference';
  return key !== undefined && looked.has(key) ? 'unused' : 'raw';
}

/** Every name of OpenInference that this program knows, as a key or the beginning of one. */
const NAMES: readonly string[] = Object.entries(openinference)
  .filter(([constant]) => constant.startsWith('ATTR_'))
  .map(([, name]) => name);

function isOpenInference(key: string): boolean {
  return NAMES.some((name) => key === name || key.startsWith(`${name}.`));
}

const BROKEN_JSON = 'It starts like JSON but is not valid JSON.';

/** Whether a text means to be JSON: a bracket or a brace alone begins many texts that do not, and Python's reprs begin so, too. */
function isBrokenJson(value: JsonValue): boolean {
  if (typeof value !== 'string' || !/^\s*(?:\{\s*["}]|\[\s*[[{"\]])/.test(value)) return false;
  return readJsonText(value) === undefined && readPythonContainer(value) === undefined;
}
