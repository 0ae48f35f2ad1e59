import type {
  ExportTraceRequest,
  InstrumentationScope,
  KeyValue,
  MalformedSpan,
  OtelResource,
  OtlpSpan,
  ResourceSpans,
  ScopeSpans,
} from '../messages.ts';
import { readKeyValue } from './attributes.ts';
import { ProtobufReader } from './reader.ts';
import { readSpan } from './span.ts';

/**
 * Decodes an `ExportTraceServiceRequest`. The results are views of `body`, which must not change while they live.
 * A span whose inside is broken becomes a `MalformedSpan`; its neighbours are not affected.
 * @throws AppError `invalid_argument` where anything around the spans is no protobuf, `too_large` where the decoded
 *   request would take far more memory than its bytes
 */
export function decodeExportTraceRequest(body: Uint8Array): ExportTraceRequest {
  const reader = new ProtobufReader(body);
  const resourceSpans: ResourceSpans[] = [];
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a /* resource_spans */) {
      const outerEnd = reader.enter();
      resourceSpans.push(readResourceSpans(reader));
      reader.leave(outerEnd);
    } else {
      reader.skip(tag);
    }
  }
  return { resourceSpans };
}

/** Decodes {@link OtelResource.envelope}. @throws AppError `invalid_argument` */
export function decodeResourceEnvelope(envelope: Uint8Array): OtelResource {
  return readResourceSpans(new ProtobufReader(envelope)).resource;
}

/** Decodes {@link InstrumentationScope.envelope}. @throws AppError `invalid_argument` */
export function decodeScopeEnvelope(envelope: Uint8Array): InstrumentationScope {
  return readScopeSpans(new ProtobufReader(envelope)).scope;
}

function readResourceSpans(reader: ProtobufReader): ResourceSpans {
  reader.charge(GROUP_BYTES);
  const attributes: KeyValue[] = [];
  const scopeSpans: ScopeSpans[] = [];
  let schemaUrl = '';
  const envelope = new Envelope(reader);
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* resource */:
        readResource(reader, attributes);
        break;
      case 0x12 /* scope_spans */:
        {
          const outerEnd = reader.enter();
          scopeSpans.push(readScopeSpans(reader));
          reader.leave(outerEnd);
          envelope.omitField();
          continue;
        }
      case 0x1a /* schema_url */:
        schemaUrl = reader.readText();
        break;
      default:
        reader.skip(tag);
    }
    envelope.keepField();
  }
  return { resource: { envelope: envelope.bytes(), attributes, schemaUrl }, scopeSpans };
}

function readResource(reader: ProtobufReader, attributes: KeyValue[]): void {
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a /* attributes */) attributes.push(readKeyValue(reader));
    else reader.skip(tag);
  }
  reader.leave(outerEnd);
}

function readScopeSpans(reader: ProtobufReader): ScopeSpans {
  reader.charge(GROUP_BYTES);
  const scope = { name: '', version: '', attributes: [] as KeyValue[] };
  const spans: (OtlpSpan | MalformedSpan)[] = [];
  let schemaUrl = '';
  const envelope = new Envelope(reader);
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* scope */:
        readScope(reader, scope);
        break;
      case 0x12 /* spans */:
        {
          const outerEnd = reader.enter();
          spans.push(readSpan(reader));
          reader.leave(outerEnd);
          envelope.omitField();
          continue;
        }
      case 0x1a /* schema_url */:
        schemaUrl = reader.readText();
        break;
      default:
        reader.skip(tag);
    }
    envelope.keepField();
  }
  return { scope: { envelope: envelope.bytes(), ...scope, schemaUrl }, spans };
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
