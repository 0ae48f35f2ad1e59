import type {
  ExportLogsRequest,
  ExportTraceRequest,
  InstrumentationScope,
  KeyValue,
  MalformedLogRecord,
  MalformedSpan,
  OtelResource,
  OtlpLogRecord,
  OtlpSpan,
} from '../messages.ts';
import { readKeyValue } from './attributes.ts';
import { readLogRecord } from './log-record.ts';
import { ProtobufReader } from './reader.ts';
import { readSpan } from './span.ts';

/** Some of the spans or log records of a request, in order. */
export interface ExportPart<Request> {
  readonly request: Request;
  /** The part of the body that they lie in. */
  readonly body: Uint8Array;
}

/** How much of a request is decoded at once. A part ends with the span or log record that reaches either bound. */
export interface PartBounds {
  readonly maxItems: number;
  readonly maxBytes: number;
}

/**
 * Decodes an `ExportTraceServiceRequest`. The results are views of `body`, which must not change while they live.
 * A span whose inside is broken becomes a `MalformedSpan`; its neighbours are not affected.
 * @throws AppError `invalid_argument` where anything around the spans is no protobuf, `too_large` where the decoded
 *   request would take far more memory than its bytes
 */
export function decodeExportTraceRequest(body: Uint8Array): ExportTraceRequest {
  const [whole] = decodeExportTraceParts(body, UNBOUNDED);
  return (whole as ExportPart<ExportTraceRequest>).request;
}

/**
 * The same part by part: at least one, and more only where a span follows. Resources and scopes are read before their
 * spans, which their fields may stand behind.
 * @throws AppError the same, when it gets there
 */
export function* decodeExportTraceParts(
  body: Uint8Array,
  bounds: PartBounds,
): Generator<ExportPart<ExportTraceRequest>, void> {
  for (const part of decodeParts<OtlpSpan | MalformedSpan>(body, bounds, readSpan)) {
    const resourceSpans = part.groups.map(({ resource, scopes }) => ({
      resource,
      scopeSpans: scopes.map(({ scope, items }) => ({ scope, spans: items })),
    }));
    yield { request: { resourceSpans }, body: part.body };
  }
}

/** Decodes an `ExportLogsServiceRequest`, as {@link decodeExportTraceRequest} does one of spans. @throws AppError */
export function decodeExportLogsRequest(body: Uint8Array): ExportLogsRequest {
  const [whole] = decodeExportLogsParts(body, UNBOUNDED);
  return (whole as ExportPart<ExportLogsRequest>).request;
}

/** The same part by part, as {@link decodeExportTraceParts} does one of spans. @throws AppError */
export function* decodeExportLogsParts(
  body: Uint8Array,
  bounds: PartBounds,
): Generator<ExportPart<ExportLogsRequest>, void> {
  for (const part of decodeParts<OtlpLogRecord | MalformedLogRecord>(body, bounds, readLogRecord)) {
    const resourceLogs = part.groups.map(({ resource, scopes }) => ({
      resource,
      scopeLogs: scopes.map(({ scope, items }) => ({ scope, logRecords: items })),
    }));
    yield { request: { resourceLogs }, body: part.body };
  }
}

const UNBOUNDED: PartBounds = { maxItems: Infinity, maxBytes: Infinity };

/** What one resource sent. */
interface ResourceGroup<Item> {
  readonly resource: OtelResource;
  readonly scopes: ScopeGroup<Item>[];
}

/** What one scope of it sent. */
interface ScopeGroup<Item> {
  readonly scope: InstrumentationScope;
  readonly items: Item[];
}

/** Decodes an export request of any signal: resources, scopes and items have the same field numbers in all of them. */
function* decodeParts<Item>(
  body: Uint8Array,
  bounds: PartBounds,
  readItem: (reader: ProtobufReader) => Item,
): Generator<{ readonly groups: readonly ResourceGroup<Item>[]; readonly body: Uint8Array }, void> {
  const reader = new ProtobufReader(body);
  let groups: ResourceGroup<Item>[] = [];
  let itemCount = 0;
  let start = 0;
  while (findField(reader, 0x0a /* resource_spans, resource_logs */)) {
    const requestEnd = reader.enter();
    const resource = lookAhead(reader, readResourceEnvelope);
    let scopes: ScopeGroup<Item>[] = [];
    groups.push({ resource, scopes });
    while (findField(reader, 0x12 /* scope_spans, scope_logs */)) {
      const resourceEnd = reader.enter();
      const scope = lookAhead(reader, readScopeEnvelope);
      let items: Item[] = [];
      scopes.push({ scope, items });
      while (findField(reader, 0x12 /* spans, log_records */)) {
        const scopeEnd = reader.enter();
        if (itemCount >= bounds.maxItems || reader.position - start >= bounds.maxBytes) {
          yield { groups, body: body.subarray(start, reader.position) };
          items = [];
          scopes = [{ scope, items }];
          groups = [{ resource, scopes }];
          itemCount = 0;
          start = reader.position;
        }
        items.push(readItem(reader));
        itemCount++;
        reader.leave(scopeEnd);
      }
      reader.leave(resourceEnd);
    }
    reader.leave(requestEnd);
  }
  yield { groups, body: body.subarray(start) };
}

/** Decodes {@link OtelResource.envelope}. @throws AppError `invalid_argument` */
export function decodeResourceEnvelope(envelope: Uint8Array): OtelResource {
  return readResourceEnvelope(new ProtobufReader(envelope));
}

/** Decodes {@link InstrumentationScope.envelope}. @throws AppError `invalid_argument` */
export function decodeScopeEnvelope(envelope: Uint8Array): InstrumentationScope {
  return readScopeEnvelope(new ProtobufReader(envelope));
}

/** Passes over everything before the next field of that tag; false at the end of the message. */
function findField(reader: ProtobufReader, wanted: number): boolean {
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (tag === wanted) return true;
    reader.skip(tag);
  }
  return false;
}

/** What `read` reads off the rest of the message, which stays to be read. */
function lookAhead<T>(reader: ProtobufReader, read: (reader: ProtobufReader) => T): T {
  const { position } = reader;
  const found = read(reader);
  reader.position = position;
  return found;
}

function readResourceEnvelope(reader: ProtobufReader): OtelResource {
  reader.charge(GROUP_BYTES);
  reader.startWeighing();
  const attributes: KeyValue[] = [];
  let schemaUrl = '';
  const envelope = new Envelope(reader);
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* resource */:
        readResource(reader, attributes);
        break;
      case 0x12 /* scope_spans, scope_logs */:
        reader.skip(tag);
        envelope.omitField();
        continue;
      case 0x1a /* schema_url */:
        schemaUrl = reader.readText();
        break;
      default:
        reader.skip(tag);
    }
    envelope.keepField();
  }
  return { envelope: envelope.bytes(), attributes, schemaUrl };
}

function readResource(reader: ProtobufReader, attributes: KeyValue[]): void {
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a /* attributes */) attributes.push(readKeyValue(reader));
    else if (tag === 0x1a /* entity_refs */) passOver(reader);
    else reader.skip(tag);
  }
  reader.leave(outerEnd);
}

/** Passes over a message of which nothing is needed, but which must be one to be read later. */
function passOver(reader: ProtobufReader): void {
  const outerEnd = reader.enter();
  while (reader.position < reader.end) reader.skip(reader.readTag());
  reader.leave(outerEnd);
}

function readScopeEnvelope(reader: ProtobufReader): InstrumentationScope {
  reader.charge(GROUP_BYTES);
  reader.startWeighing();
  const scope = { name: '', version: '', attributes: [] as KeyValue[] };
  let schemaUrl = '';
  const envelope = new Envelope(reader);
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* scope */:
        readScope(reader, scope);
        break;
      case 0x12 /* spans, log_records */:
        reader.skip(tag);
        envelope.omitField();
        continue;
      case 0x1a /* schema_url */:
        schemaUrl = reader.readText();
        break;
      default:
        reader.skip(tag);
    }
    envelope.keepField();
  }
  return { envelope: envelope.bytes(), ...scope, schemaUrl };
}

function readScope(reader: ProtobufReader, scope: { name: string; version: string; attributes: KeyValue[] }): void {
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* name */:
        scope.name = reader.readText();
        break;
      case 0x12 /* version */:
        scope.version = reader.readText();
        break;
      case 0x1a /* attributes */:
        scope.attributes.push(readKeyValue(reader));
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outerEnd);
}

/** Collects the fields of a message that are kept as they came, while a reader passes over them. */
class Envelope {
  readonly #reader: ProtobufReader;
  readonly #parts: Uint8Array[] = [];
  #start: number;
  #end: number;

  constructor(reader: ProtobufReader) {
    this.#reader = reader;
    this.#start = reader.position;
    this.#end = reader.position;
  }

  /** The field that ends at the reader's position is part of the envelope. */
  keepField(): void {
    this.#end = this.#reader.position;
  }

  /** The field that ends at the reader's position is not. */
  omitField(): void {
    this.#closePart();
    this.#start = this.#reader.position;
    this.#end = this.#reader.position;
  }

  /** A view where the fields lay together, a copy where others lay between them. */
  bytes(): Uint8Array {
    this.#closePart();
    const [first, ...others] = this.#parts;
    if (first === undefined) return new Uint8Array(0);
    return others.length === 0 ? first : new Uint8Array(Buffer.concat(this.#parts));
  }

  #closePart(): void {
    if (this.#end === this.#start) return;
    this.#reader.charge(PART_BYTES);
    this.#parts.push(this.#reader.slice(this.#start, this.#end));
  }
}

// What the decoded messages take on the heap, roughly.
const GROUP_BYTES = 768;
const PART_BYTES = 128;
