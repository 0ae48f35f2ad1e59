/** What reading a span takes beside its bytes. */
import type { OtlpSpan } from '#otlp/messages';
import { MAX_READ_ATTRIBUTES, MAX_READ_SEGMENTS, segmentsOf } from './flat-attributes.ts';
import { weighJsonContainer } from './weigh-json.ts';

/**
 * The bytes that its attributes take beside their own once they are read: the objects that dotted keys become, and the values of texts of
 * JSON. Counted without reading them, so that a reader can make room first.
 */
export function weighReading({ attributes }: Pick<OtlpSpan, 'attributes'>): number {
  let segments = 0;
  let bytes = 0;
  for (const { key, value } of attributes.slice(0, MAX_READ_ATTRIBUTES)) {
    if (value === null) continue;
    const ofKey = segmentsOf(key);
    if (segments + ofKey > MAX_READ_SEGMENTS) break;
    segments += ofKey;
    if (typeof value === 'string') bytes += weighJsonContainer(value);
  }
  return bytes + segments * SEGMENT_BYTES;
}

/** What an object takes while keys are nested, with its name and its place in the tree. */
const SEGMENT_BYTES = 600;
