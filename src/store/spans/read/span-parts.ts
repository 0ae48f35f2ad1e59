/** Parts of whole spans for those who look at them: made where blocks are decoded, as texts that cross threads cheaply. */
import { AppError } from '#base/errors';
import { isJsonObject, type JsonObject, type JsonValue, jsonObject, withReadableIntegers } from '#base/json';
import { type AttributeTree, attributeAt } from '#domain/attributes';
import { listDerived } from '#domain/derived-attributes';
import type { Span } from '#domain/span';
import { toMicroseconds } from '#domain/timestamp';
import { explainSpan } from '#normalize/explain/explain-span';
import { toJsonText, toJsonValue } from '#normalize/json-value';
import type { KeyValue } from '#otlp/messages';
import {
  ATTR_EMBEDDING_EMBEDDINGS,
  ATTR_METADATA,
  ATTR_RETRIEVAL_DOCUMENTS,
  ATTR_TAG_TAGS,
} from '#semconv/openinference';
import { ATTR_EXCEPTION_MESSAGE } from '#semconv/otel';
import type { SpanPart, SpanParts, SpanReport, SpanSource } from '../browse-port.ts';
import type { StoredSpan } from '../presenter.ts';
import type { ReadScope } from '../rows/read-scope.ts';
import { inOrderOf, selectSpanRows, toSpanRow } from '../rows/span-query.ts';
import { readStoredSpans } from '../rows/stored-spans.ts';
import { GatheringRoom } from '../../threads/thread-room.ts';
import { MAX_ANSWER_BYTES } from '../rows/answer-bytes.ts';

/** The parts of each span; the last ones are left out where they are together more than one answer may hold. */
export async function readSpanParts(
  scope: ReadScope,
  wanted: readonly { readonly rowId: number; readonly parts: readonly SpanPart[] }[],
): Promise<ReadonlyMap<number, SpanParts>> {
  const partsOf = new Map(wanted.map(({ rowId, parts }) => [rowId, parts]));
  const rows = await selectSpanRows(scope.db)
    .where('spans.id', 'in', scope.dialect.numbersOf([...partsOf.keys()]))
    .execute();
  const found = new Map<number, SpanParts>();
  const onDamaged = (rowId: number, { message }: AppError) => void found.set(rowId, { rowId, damage: message });
  const inOrder = inOrderOf(partsOf.keys(), rows.map(toSpanRow));
  let isWhole = true;
  const endsBefore = () => {
    isWhole = found.size === 0;
    return !isWhole;
  };
  using room = new GatheringRoom(MAX_ANSWER_BYTES);
  for await (const stored of readStoredSpans(scope, inOrder, { onDamaged, endsBefore })) {
    const { rowId } = stored.row;
    const parts = makeParts(stored, partsOf.get(rowId) ?? []);
    isWhole = await room.add(countCharacters(parts));
    if (!isWhole) break;
    found.set(rowId, parts);
  }
  if (isWhole) return found;
  for (const { rowId } of inOrder) if (!found.has(rowId)) found.set(rowId, { rowId, isLeftOut: true });
  return found;
}

function countCharacters({ attributes = '', derived = '', values, report, reading }: SpanParts): number {
  const texts = [attributes, derived, values?.input ?? '', values?.output ?? ''];
  if (report !== undefined) texts.push(report.statusMessage, report.metadata ?? '', ...report.tags);
  for (const event of report?.events ?? []) texts.push(event.name, event.message, event.attributes);
  for (const link of report?.links ?? []) texts.push(link.attributes);
  for (const { label, to } of reading?.sources ?? []) texts.push(label, ...to);
  for (const { key, from, dependsOn } of reading?.outputs ?? []) texts.push(key, ...from, ...dependsOn);
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function makeParts(
  { row, span, original, scope, resource, records }: StoredSpan,
  parts: readonly SpanPart[],
): SpanParts {
  return {
    rowId: row.rowId,
    ...(parts.includes('attributes') && { attributes: jsonText(withoutVectors(span.attributes)) }),
    ...(parts.includes('derived') && { derived: jsonText(listDerived(span)) }),
    ...(parts.includes('values') && {
      values: { input: span.input?.value ?? null, output: span.output?.value ?? null },
    }),
    ...(parts.includes('report') && { report: toReport(span) }),
    ...(parts.includes('reading') && { reading: explainSpan(original, scope, resource, records) }),
  };
}

function toReport(span: Span): SpanReport {
  const metadata = attributeAt(span.reading, ATTR_METADATA);
  const documents = attributeAt(span.reading, ATTR_RETRIEVAL_DOCUMENTS);
  return {
    statusMessage: span.statusMessage,
    events: span.events.map(({ name, timeUnixNano, attributes }) => ({
      name,
      timeUs: toMicroseconds(timeUnixNano),
      message: exceptionMessage(attributes),
      attributes: jsonText(attributes),
    })),
    links: span.links.map(({ traceId, spanId, attributes }) => ({ traceId, spanId, attributes: jsonText(attributes) })),
    metadata: metadata === undefined || metadata === null ? null : toJsonText(metadata),
    tags: readTags(attributeAt(span.reading, ATTR_TAG_TAGS)),
    tokenRemarks: span.tokenRemarks,
    documentCount: Array.isArray(documents) ? documents.length : null,
  };
}

/** The list, or the text of one tag or several; what is neither is no tag. */
function readTags(value: JsonValue | undefined): readonly string[] {
  const tags = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return tags.flatMap((tag) => (typeof tag === 'string' ? tag.trim() || [] : []));
}

function exceptionMessage(attributes: AttributeTree): string {
  const message = attributes[ATTR_EXCEPTION_MESSAGE];
  return message === undefined || message === null ? '' : toJsonText(message);
}

/** The attributes without the vectors of embeddings, which are long and say nothing to a reader. */
function withoutVectors(attributes: AttributeTree): AttributeTree {
  const embedding = attributes['embedding'];
  const embeddings = attributeAt(attributes, ATTR_EMBEDDING_EMBEDDINGS);
  if (!isJsonObject(embedding) || !Array.isArray(embeddings)) return attributes;
  return copyWith(attributes, 'embedding', copyWith(embedding, 'embeddings', embeddings.map(withoutVector)));
}

function withoutVector(item: JsonValue): JsonValue {
  const embedding = isJsonObject(item) ? item['embedding'] : undefined;
  if (!isJsonObject(item) || !isJsonObject(embedding)) return item;
  const rest = copyWith(embedding, 'vector', null);
  delete rest['vector'];
  return copyWith(item, 'embedding', rest);
}

function copyWith(object: JsonObject, key: string, value: JsonValue): JsonObject {
  return Object.assign(jsonObject(), object, { [key]: value });
}

function jsonText(value: JsonValue): string {
  return JSON.stringify(withReadableIntegers(value));
}

/** @throws AppError `resource_exhausted` for more texts than one response may have */
function assertFitting(characters: number): void {
  if (characters <= MAX_ANSWER_BYTES) return;
  throw new AppError('resource_exhausted', 'These spans are together too large for one response: ask for fewer.');
}

/**
 * What produced each span. Index: primary keys.
 * @throws AppError `resource_exhausted` where the texts are together more than one answer may hold
 */
export async function readSpanSources(
  { db, dialect, envelopes }: ReadScope,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, SpanSource>> {
  const rows = await db
    .selectFrom('spans')
    .select(['id', 'otel_resource_id', 'instrumentation_scope_id'])
    .where('id', 'in', dialect.numbersOf(rowIds))
    .execute();
  const resourceIds = rows.map((row) => row.otel_resource_id);
  const scopeIds = rows.map((row) => row.instrumentation_scope_id);
  const resources = await envelopes.resources(db, dialect, resourceIds);
  const scopes = await envelopes.scopes(db, dialect, scopeIds);
  const texts = new Map<number, string>();
  const found = new Map<number, SpanSource>();
  let characters = 0;
  for (const row of rows) {
    const { name = '', version = '' } = scopes.get(row.instrumentation_scope_id) ?? {};
    const resource =
      texts.get(row.otel_resource_id) ?? resourceText(resources.get(row.otel_resource_id)?.attributes ?? []);
    texts.set(row.otel_resource_id, resource);
    characters += resource.length + name.length + version.length;
    assertFitting(characters);
    found.set(row.id, { resource, scope: { name, version } });
  }
  return found;
}

function resourceText(attributes: readonly KeyValue[]): string {
  const flat = jsonObject();
  for (const { key, value } of attributes) flat[key] = toJsonValue(value);
  return jsonText(flat);
}
