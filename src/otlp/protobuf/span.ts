import type { KeyValue, MalformedSpan, OtlpSpan, OtlpSpanEvent, OtlpSpanLink } from '../messages.ts';
import { readKeyValue } from './attributes.ts';
import { readOrMalformed } from './read-or-malformed.ts';
import { ProtobufReader } from './reader.ts';

/** Decodes one `Span` message. Never throws: a message that is no protobuf is a {@link MalformedSpan}. */
export function decodeSpan(bytes: Uint8Array): OtlpSpan | MalformedSpan {
  return readSpan(new ProtobufReader(bytes));
}

/** The same with the weight of its values: 1 is a value of a list. */
export function decodeWeighedSpan(bytes: Uint8Array): { span: OtlpSpan | MalformedSpan; weight: number } {
  const reader = new ProtobufReader(bytes);
  const span = readSpan(reader);
  return { span, weight: reader.weight };
}

/** The ids of a `Span` message, read without the rest of it. @throws Error where it is no protobuf */
export function readSpanIds(bytes: Uint8Array): Pick<OtlpSpan, 'traceId' | 'spanId'> {
  const reader = new ProtobufReader(bytes);
  const ids = { traceId: NO_BYTES, spanId: NO_BYTES };
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    if (tag === 0x0a) ids.traceId = reader.readBytes();
    else if (tag === 0x12) ids.spanId = reader.readBytes();
    else reader.skip(tag);
  }
  return ids;
}

/**
 * Reads the `Span` message that fills the reader up to its end.
 * @throws AppError `too_large` where the whole request holds too many values
 */
export function readSpan(reader: ProtobufReader): OtlpSpan | MalformedSpan {
  return readOrMalformed(reader, SPAN_BYTES, readFields);
}

function readFields(reader: ProtobufReader, bytes: Uint8Array): OtlpSpan {
  let traceId = NO_BYTES;
  let spanId = NO_BYTES;
  let traceState = '';
  let parentSpanId = NO_BYTES;
  let flags = 0;
  let name = '';
  let kind = 0;
  let startTimeUnixNano = 0n;
  let endTimeUnixNano = 0n;
  const attributes: KeyValue[] = [];
  let droppedAttributesCount = 0;
  const events: OtlpSpanEvent[] = [];
  let droppedEventsCount = 0;
  const links: OtlpSpanLink[] = [];
  let droppedLinksCount = 0;
  const status = { code: 0, message: '' };
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* trace_id */:
        traceId = reader.readBytes();
        break;
      case 0x12 /* span_id */:
        spanId = reader.readBytes();
        break;
      case 0x1a /* trace_state */:
        traceState = reader.readText();
        break;
      case 0x22 /* parent_span_id */:
        parentSpanId = reader.readBytes();
        break;
      case 0x2a /* name */:
        name = reader.readRepeatedText();
        break;
      case 0x30 /* kind */:
        kind = reader.readInt32();
        break;
      case 0x39 /* start_time_unix_nano */:
        startTimeUnixNano = reader.readFixed64();
        break;
      case 0x41 /* end_time_unix_nano */:
        endTimeUnixNano = reader.readFixed64();
        break;
      case 0x4a /* attributes */:
        attributes.push(readKeyValue(reader));
        break;
      case 0x50 /* dropped_attributes_count */:
        droppedAttributesCount = reader.readUint32();
        break;
      case 0x5a /* events */:
        events.push(readEvent(reader));
        break;
      case 0x60 /* dropped_events_count */:
        droppedEventsCount = reader.readUint32();
        break;
      case 0x6a /* links */:
        links.push(readLink(reader));
        break;
      case 0x70 /* dropped_links_count */:
        droppedLinksCount = reader.readUint32();
        break;
      case 0x7a /* status */:
        readStatus(reader, status);
        break;
      case 0x85 /* flags */:
        flags = reader.readFixed32();
        break;
      default:
        reader.skip(tag);
    }
  }
  return {
    bytes,
    traceId,
    spanId,
    traceState,
    parentSpanId,
    flags,
    name,
    kind,
    startTimeUnixNano,
    endTimeUnixNano,
    attributes,
    droppedAttributesCount,
    events,
    droppedEventsCount,
    links,
    droppedLinksCount,
    status,
  };
}

function readEvent(reader: ProtobufReader): OtlpSpanEvent {
  reader.charge(EVENT_BYTES);
  reader.weigh(EVENT_WEIGHT);
  let timeUnixNano = 0n;
  let name = '';
  const attributes: KeyValue[] = [];
  let droppedAttributesCount = 0;
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x09 /* time_unix_nano */:
        timeUnixNano = reader.readFixed64();
        break;
      case 0x12 /* name */:
        name = reader.readRepeatedText();
        break;
      case 0x1a /* attributes */:
        attributes.push(readKeyValue(reader));
        break;
      case 0x20 /* dropped_attributes_count */:
        droppedAttributesCount = reader.readUint32();
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outerEnd);
  return { timeUnixNano, name, attributes, droppedAttributesCount };
}

function readLink(reader: ProtobufReader): OtlpSpanLink {
  reader.charge(LINK_BYTES);
  reader.weigh(EVENT_WEIGHT);
  let traceId = NO_BYTES;
  let spanId = NO_BYTES;
  let traceState = '';
  const attributes: KeyValue[] = [];
  let droppedAttributesCount = 0;
  let flags = 0;
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x0a /* trace_id */:
        traceId = reader.readBytes();
        break;
      case 0x12 /* span_id */:
        spanId = reader.readBytes();
        break;
      case 0x1a /* trace_state */:
        traceState = reader.readText();
        break;
      case 0x22 /* attributes */:
        attributes.push(readKeyValue(reader));
        break;
      case 0x28 /* dropped_attributes_count */:
        droppedAttributesCount = reader.readUint32();
        break;
      case 0x35 /* flags */:
        flags = reader.readFixed32();
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outerEnd);
  return { traceId, spanId, traceState, attributes, droppedAttributesCount, flags };
}

function readStatus(reader: ProtobufReader, status: { code: number; message: string }): void {
  const outerEnd = reader.enter();
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x12 /* message */:
        status.message = reader.readText();
        break;
      case 0x18 /* code */:
        status.code = reader.readInt32();
        break;
      default:
        reader.skip(tag);
    }
  }
  reader.leave(outerEnd);
}

const NO_BYTES: Uint8Array = new Uint8Array(0);

// What the decoded messages take on the heap, roughly.
const SPAN_BYTES = 768;
const EVENT_BYTES = 128;
const LINK_BYTES = 384;

/** Of an event or a link, in values of a list. */
const EVENT_WEIGHT = 16;
