/** A dialect: the names that some family of instrumentations uses. One file of this folder each. */
import type { JsonValue } from '#base/json';
import type { SpanEvent } from '#domain/span';
import type { InstrumentationScope, OtelResource } from '#otlp/messages';
import type { FlatAttributes } from '../flat-attributes.ts';

/** The parts of a span that show which dialects it uses, and what they say. */
export interface SpanEvidence {
  /** The span's name: where a library says nothing else of what a span is, its scope and the name do. */
  readonly name: string;
  readonly attributes: FlatAttributes;
  /** Nanoseconds since the Unix epoch; 0 where the span has none. */
  readonly startTimeUnixNano: bigint;
  readonly events: readonly SpanEvent[];
  /** The log records that belong to the span, by time; none while they have not arrived. */
  readonly records: readonly SpanRecord[];
  readonly scope: InstrumentationScope;
  readonly resource: OtelResource;
}

/** A log record that belongs to a span: an event with a body. */
export interface SpanRecord extends SpanEvent {
  /** A text, a number, or a structure; `undefined` where the record has none. */
  readonly body: JsonValue | undefined;
}

/** What `docs/dialects.md` says of a dialect. */
export interface DialectDocs {
  /** As its makers call it. */
  readonly title: string;
  /** The latest version whose attributes were compared with this file. */
  readonly checkedVersion: string;
  readonly mappings: readonly DialectMapping[];
  /** What the dialect can say that is not read, one sentence each. */
  readonly notCovered: readonly string[];
}

/** One line of the table of a dialect: from its name to OpenInference's. */
export interface DialectMapping {
  readonly from: string;
  /** Names of OpenInference; with `.*` at the end all that continue the name. */
  readonly to: string;
  /** Whether what it gives is shown beside the attributes, because nobody sent it as one. */
  readonly isDerived?: true;
  readonly note?: string;
}

/** What the file of a dialect exports. */
export interface Dialect {
  readonly name: string;
  /** Whether the span carries this dialect's names; several may in one span. */
  readonly speaks: (span: SpanEvidence) => boolean;
  /**
   * Adds what the names mean in OpenInference where it is missing; what was sent keeps its place. What it only concludes,
   * it sets while the attributes are told that it derives. Never throws.
   */
  readonly translate: (span: SpanEvidence) => void;
  readonly docs: DialectDocs;
}
