import type { AnyValue, KeyValue, MalformedLogRecord, OtlpLogRecord } from '../messages.ts';
import { readAnyValue, readKeyValue } from './attributes.ts';
import { readOrMalformed } from './read-or-malformed.ts';
import { ProtobufReader } from './reader.ts';

/** Decodes one `LogRecord` message. Never throws: a message that is no protobuf is a {@link MalformedLogRecord}. */
export function decodeLogRecord(bytes: Uint8Array): OtlpLogRecord | MalformedLogRecord {
  return readLogRecord(new ProtobufReader(bytes));
}

/**
 * Reads the `LogRecord` message that fills the reader up to its end.
 * @throws AppError `too_large` where the whole request holds too many values
 */
export function readLogRecord(reader: ProtobufReader): OtlpLogRecord | MalformedLogRecord {
  return readOrMalformed(reader, LOG_RECORD_BYTES, readFields);
}

function readFields(reader: ProtobufReader, bytes: Uint8Array): OtlpLogRecord {
  let timeUnixNano = 0n;
  let observedTimeUnixNano = 0n;
  let severityNumber = 0;
  let severityText = '';
  let body: AnyValue = null;
  const attributes: KeyValue[] = [];
  let droppedAttributesCount = 0;
  let flags = 0;
  let traceId = NO_BYTES;
  let spanId = NO_BYTES;
  let eventName = '';
  while (reader.position < reader.end) {
    const tag = reader.readTag();
    switch (tag) {
      case 0x09 /* time_unix_nano */:
        timeUnixNano = reader.readFixed64();
        break;
      case 0x10 /* severity_number */:
        severityNumber = reader.readInt32();
        break;
      case 0x1a /* severity_text */:
        severityText = reader.readRepeatedText();
        break;
      case 0x2a /* body */:
        body = readAnyValue(reader, body, 1);
        break;
      case 0x32 /* attributes */:
        attributes.push(readKeyValue(reader));
        break;
      case 0x38 /* dropped_attributes_count */:
        droppedAttributesCount = reader.readUint32();
        break;
      case 0x45 /* flags */:
        flags = reader.readFixed32();
        break;
      case 0x4a /* trace_id */:
        traceId = reader.readBytes();
        break;
      case 0x52 /* span_id */:
        spanId = reader.readBytes();
        break;
      case 0x59 /* observed_time_unix_nano */:
        observedTimeUnixNano = reader.readFixed64();
        break;
      case 0x62 /* event_name */:
        eventName = reader.readRepeatedText();
        break;
      default:
        reader.skip(tag);
    }
  }
  return {
    bytes,
    timeUnixNano,
    observedTimeUnixNano,
    severityNumber,
    severityText,
    body,
    attributes,
    droppedAttributesCount,
    flags,
    traceId,
    spanId,
    eventName,
  };
}

const NO_BYTES: Uint8Array = new Uint8Array(0);

/** What a decoded log record takes on the heap beside its values, roughly. */
const LOG_RECORD_BYTES = 512;
