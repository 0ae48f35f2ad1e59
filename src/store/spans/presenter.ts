/** How a stored span becomes a text for a client, inside a reader's thread, where decoding it happens anyway. */
import type { Span } from '#domain/span';
import type { SpanRecord } from '#normalize/dialects/dialect';
import type { InstrumentationScope, OtelResource, OtlpSpan } from '#otlp/messages';
import type { SpanPresentation, SpanRow } from './port.ts';

/** A stored span with everything known of it. */
export interface StoredSpan {
  readonly row: SpanRow;
  /** Read from the original by today's normalisation. */
  readonly span: Span;
  readonly original: OtlpSpan;
  readonly resource: OtelResource;
  readonly scope: InstrumentationScope;
  /** What log records say of it, earliest first. */
  readonly records: readonly SpanRecord[];
}

/** Makes the JSON text of one span. */
export type SpanPresenter = (stored: StoredSpan) => string;

/** All forms that {@link SpanPresentation} names. */
export type SpanPresenters = Readonly<Record<SpanPresentation, SpanPresenter>>;
