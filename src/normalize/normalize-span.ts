import { isJsonObject, type JsonValue, jsonObject } from '#base/json';
import { type AttributeTree, attributeAt } from '#domain/attributes';
import { SPAN_KINDS, type Span, type SpanEvent, type SpanIO, type SpanKind, type SpanStatusCode } from '#domain/span';
import type { InstrumentationScope, KeyValue, OtelResource, OtlpSpan } from '#otlp/messages';
import { ATTR_GEN_AI_RESPONSE_ID } from '#semconv/gen-ai';
import * as openinference from '#semconv/openinference';
import { SPAN_KIND_CONSUMER, STATUS_CODE_ERROR, STATUS_CODE_OK } from '#semconv/otel';
import { DIALECTS } from './dialects/all.ts';
import type { Dialect, SpanEvidence, SpanRecord } from './dialects/dialect.ts';
import { FlatAttributes } from './flat-attributes.ts';
import { readJsonContainer, toJsonText, toJsonValue } from './json-value.ts';
import type { SpanFigures, SpanSummary } from './normalized.ts';
import { toNumber } from './number.ts';
import { findIdFault, readParentId, readSpanId, readTraceId, SPAN_ID_BYTES, TRACE_ID_BYTES } from './otel-id.ts';
import { storableText } from './text.ts';
import { type ReadAttribute, readTokenCounts } from './token-counts.ts';
import { findTokenRemarks } from './token-remarks.ts';
import { flattenInOrder } from '#domain/flat-order';
import { unflatten } from '#domain/unflatten';

/**
 * Reads a span from its message: the same span each time it is read from storage. Never throws.
 * @param fallbackUnixNano the time of a span that has neither start nor end; for a stored span its stored start
 * @param records the log records that are known to belong to the span
 */
export function normalizeSpan(
  original: OtlpSpan,
  scope: InstrumentationScope,
  resource: OtelResource,
  fallbackUnixNano: bigint,
  records: readonly SpanRecord[] = [],
): Span {
  const evidence = toEvidence(original, scope, resource, records);
  const flat = translate(evidence);
  const isFlat = isFlatEnough(flat);
  const trees = new Trees(flat);
  const tree = isFlat ? undefined : trees.reading;
  const figures = readFigures(original, flat, tree, fallbackUnixNano);
  return {
    ...figures,
    tokenRemarks: findTokenRemarks(reader(flat, tree), figures.tokenCounts),
    otelKind: original.kind >= 0 && original.kind <= SPAN_KIND_CONSUMER ? original.kind : 0,
    statusMessage: storableText(original.status.message),
    get attributes() {
      return trees.attributes;
    },
    get reading() {
      return trees.reading;
    },
    get flatAttributes() {
      return isFlat && !flat.hasDerived ? flattenInOrder(flat.entries()) : undefined;
    },
    events: evidence.events,
    links: original.links.map((link) => ({
      traceId: readTraceId(link.traceId),
      spanId: readSpanId(link.spanId),
      traceState: storableText(link.traceState),
      attributes: readFlat(link.attributes),
    })),
    traceState: storableText(original.traceState),
  };
}

/**
 * Reads what a row keeps of a span, as {@link normalizeSpan} reads it. Nesting the attributes costs more than everything
 * else together, so that is left out wherever the flat ones say the same. Never throws.
 */
export function summarizeSpan(
  original: OtlpSpan,
  scope: InstrumentationScope,
  resource: OtelResource,
  fallbackUnixNano: bigint,
  records: readonly SpanRecord[] = [],
): SpanSummary {
  const flat = translate(toEvidence(original, scope, resource, records));
  const tree = isFlatEnough(flat) ? undefined : toTree(flat.entries(), flat.asides());
  const figures = readFigures(original, flat, tree, fallbackUnixNano);
  const entries = tree === undefined ? flat.entries() : Object.entries(tree);
  return { ...figures, linked: readLinked(original.links), entries };
}

/** A bounded number of links: nobody means to send more, and each is a row. */
function readLinked(links: OtlpSpan['links']): SpanSummary['linked'] {
  if (links.length === 0) return NO_LINKS;
  const linked = new Map<string, SpanSummary['linked'][number]>();
  for (const link of links) {
    if (linked.size === MAX_LINKED) break;
    if (findIdFault(link.traceId, TRACE_ID_BYTES) ?? findIdFault(link.spanId, SPAN_ID_BYTES)) continue;
    const ids = { traceId: readTraceId(link.traceId), spanId: readSpanId(link.spanId) };
    linked.set(`${ids.traceId} ${ids.spanId}`, ids);
  }
  return [...linked.values()];
}

const NO_LINKS: SpanSummary['linked'] = [];

/** As many as an SDK keeps of a span unless it is told otherwise. */
const MAX_LINKED = 128;

/** What dialects read of a span, before any of them has spoken. */
export function toEvidence(
  {
    name,
    attributes,
    events,
    startTimeUnixNano,
  }: Pick<OtlpSpan, 'name' | 'attributes' | 'events' | 'startTimeUnixNano'>,
  scope: InstrumentationScope,
  resource: OtelResource,
  records: readonly SpanRecord[],
): SpanEvidence {
  return {
    name,
    attributes: new FlatAttributes(attributes),
    startTimeUnixNano,
    events: events.map(readEvent),
    records,
    scope,
    resource,
  };
}

function translate(evidence: SpanEvidence): FlatAttributes {
  for (const dialect of DIALECTS) if (dialect.speaks(evidence)) applyDialect(dialect, evidence);
  return evidence.attributes;
}

/** Adds what a dialect that speaks in the span makes of it. */
export function applyDialect(dialect: Dialect, evidence: SpanEvidence): void {
  evidence.attributes.isDeriving = false;
  dialect.translate(evidence);
}

/** Whether every value that is looked for stands under its own key, and every key is one of the tree. */
function isFlatEnough(flat: FlatAttributes): boolean {
  return flat.isPlain && !mustBeText(flat.get(openinference.ATTR_INPUT_VALUE));
}

/** @param tree `undefined` where the flat attributes say the same */
function readFigures(
  original: OtlpSpan,
  flat: FlatAttributes,
  tree: AttributeTree | undefined,
  fallbackUnixNano: bigint,
): SpanFigures {
  const read = reader(flat, tree);
  const { startTimeUnixNano, endTimeUnixNano } = original;
  const at = (path: string) => (tree === undefined ? flat.get(path) : attributeAt(tree, path));
  const kind = readKind(read(openinference.ATTR_SPAN_KIND));
  const output = readIO(at, openinference.ATTR_OUTPUT_VALUE, openinference.ATTR_OUTPUT_MIME_TYPE);
  return {
    traceId: readTraceId(original.traceId),
    spanId: readSpanId(original.spanId),
    parentSpanId: readParentId(original.parentSpanId),
    name: storableText(original.name),
    kind,
    startTimeUnixNano: startTimeUnixNano || endTimeUnixNano || fallbackUnixNano,
    endTimeUnixNano: endTimeUnixNano || startTimeUnixNano || fallbackUnixNano,
    isOpen: endTimeUnixNano === 0n,
    statusCode: readStatusCode(original.status.code),
    sessionId: readName(read(openinference.ATTR_SESSION_ID)),
    userId: readName(read(openinference.ATTR_USER_ID)),
    modelName: readModelName(read),
    provider: readName(read(openinference.ATTR_LLM_PROVIDER)),
    responseId: kind === 'LLM' ? readResponseId(read, output) : null,
    tokenCounts: readTokenCounts(read),
    ...readReportedCost(read),
    input: readIO(at, openinference.ATTR_INPUT_VALUE, openinference.ATTR_INPUT_MIME_TYPE),
    output,
  };
}

function reader(flat: FlatAttributes, tree: AttributeTree | undefined): ReadAttribute {
  return (path) => flat.get(path) ?? (flat.hasMaps && tree !== undefined ? attributeAt(tree, path) : undefined);
}

/** The model that answered where it is known, else the one that was asked. */
const MODEL_KEYS: readonly string[] = [
  openinference.ATTR_LLM_MODEL_NAME,
  openinference.ATTR_LLM_RESPONSE_MODEL_NAME,
  openinference.ATTR_LLM_REQUEST_MODEL_NAME,
  openinference.ATTR_EMBEDDING_MODEL_NAME,
  openinference.ATTR_RERANKER_MODEL_NAME,
];

const KIND_NAMES: ReadonlySet<string> = new Set(SPAN_KINDS);

type Entries = Iterable<[key: string, value: JsonValue]>;

/** The attributes as trees, each made when it is asked for: many who read a span need neither. */
class Trees {
  readonly #flat: FlatAttributes;
  #reading: AttributeTree | undefined = undefined;
  #attributes: AttributeTree | undefined = undefined;

  constructor(flat: FlatAttributes) {
    this.#flat = flat;
  }

  get reading(): AttributeTree {
    this.#reading ??= toTree(this.#flat.entries(), this.#flat.asides());
    return this.#reading;
  }

  get attributes(): AttributeTree {
    if (!this.#flat.hasDerived) return this.reading;
    this.#attributes ??= toTree(this.#flat.shownEntries(), this.#flat.asides());
    return this.#attributes;
  }
}

function toTree(entries: Entries, asides: Entries): AttributeTree {
  const tree = unflatten(entries);
  for (const [key, value] of asides) tree[key] ??= value;
  const input = tree['input'];
  if (isJsonObject(input) && mustBeText(input['value'])) {
    input['value'] = toJsonText(input['value']);
    input['mime_type'] = openinference.MIME_TYPE_JSON;
  }
  return tree;
}

/** An input is text. Phoenix keeps 0 and false as they are, and its clients compare them so. */
function mustBeText(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && typeof value !== 'string' && value !== 0 && value !== false;
}

function readEvent(event: OtlpSpan['events'][number]): SpanEvent {
  return {
    name: storableText(event.name),
    timeUnixNano: event.timeUnixNano,
    attributes: readFlat(event.attributes),
  };
}

function readFlat(attributes: readonly KeyValue[]): AttributeTree {
  const flat = jsonObject();
  for (const { key, value } of attributes) if (value !== null) flat[storableText(key)] = toJsonValue(value);
  return flat;
}

function readKind(value: JsonValue | undefined): SpanKind {
  const kind = typeof value === 'string' ? value.toUpperCase() : '';
  return KIND_NAMES.has(kind) ? (kind as SpanKind) : 'UNKNOWN';
}

function readStatusCode(code: number): SpanStatusCode {
  if (code === STATUS_CODE_OK) return 'OK';
  return code === STATUS_CODE_ERROR ? 'ERROR' : 'UNSET';
}

/** A name or id as trimmed text, numbers included; nothing where it is blank. */
function readName(value: JsonValue | undefined): string | null {
  const text = typeof value === 'string' ? value : toNumber(value) === undefined ? '' : toJsonText(value as JsonValue);
  return text.trim() || null;
}

/** A call that was refused may name its model among its parameters only. */
function readModelName(read: (path: string) => JsonValue | undefined): string | null {
  for (const path of MODEL_KEYS) {
    const name = readName(read(path));
    if (name !== null) return name;
  }
  const parameters = read(openinference.ATTR_LLM_INVOCATION_PARAMETERS);
  const parsed = typeof parameters === 'string' ? readJsonContainer(parameters) : undefined;
  return isJsonObject(parsed) ? readName(parsed['model']) : null;
}

/** Where nobody says it apart, an output that is the provider's own answer begins with its id. */
function readResponseId(read: ReadAttribute, output: SpanIO | null): string | null {
  for (const path of RESPONSE_ID_KEYS) {
    const id = readName(read(path));
    if (id !== null) return id;
  }
  return output === null ? null : (ANSWER_START.exec(output.value.slice(0, MAX_ANSWER_START))?.[1] ?? null);
}

const RESPONSE_ID_KEYS: readonly string[] = [ATTR_GEN_AI_RESPONSE_ID, 'ai.response.id'];

const ANSWER_START = /^\s*\{\s*"id"\s*:\s*"([^"\\]+)"\s*[,}]/;

const MAX_ANSWER_START = 300;

type ReportedCost = 'reportedCostUsd' | 'reportedPromptCostUsd' | 'reportedCompletionCostUsd';

function readReportedCost(read: ReadAttribute): Pick<SpanFigures, ReportedCost> {
  const prompt = readCost(read(openinference.ATTR_LLM_COST_PROMPT));
  const completion = readCost(read(openinference.ATTR_LLM_COST_COMPLETION));
  return {
    reportedCostUsd:
      readCost(read(openinference.ATTR_LLM_COST_TOTAL)) ??
      (prompt === null || completion === null ? null : prompt + completion),
    reportedPromptCostUsd: prompt,
    reportedCompletionCostUsd: completion,
  };
}

function readCost(value: JsonValue | undefined): number | null {
  const cost = toNumber(value);
  return cost !== undefined && Number.isFinite(cost) ? cost : null;
}

/** Media types that nobody displays read as plain text. */
function readIO(at: (path: string) => JsonValue | undefined, valuePath: string, mimeTypePath: string): SpanIO | null {
  const value = at(valuePath);
  if (value === undefined || value === null) return null;
  const isJson = typeof value !== 'string' || at(mimeTypePath) === openinference.MIME_TYPE_JSON;
  return {
    value: toJsonText(value),
    mimeType: isJson ? openinference.MIME_TYPE_JSON : openinference.MIME_TYPE_TEXT,
  };
}
