/** How a span is read: who speaks in it, where each thing that was sent went, and where each thing that is shown came from. */
import type { SpanKind } from '#domain/span';

/** One span, explained. */
export interface SpanReading {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** In the order in which they translate. */
  readonly dialects: readonly DialectReading[];
  /** Everything that was sent and can be read, in its order. */
  readonly sources: readonly SourceReading[];
  /** Everything that dialects added or read differently. */
  readonly outputs: readonly OutputReading[];
  /** Whether every source was tried; a span of very many attributes or bytes is explained in part. */
  readonly isComplete: boolean;
}

/** A dialect that speaks in the span. */
export interface DialectReading {
  readonly name: string;
  readonly title: string;
  /** The evidence in the span, such as `attribute gen_ai.system`; `null` for a dialect that applies to every span. */
  readonly evidence: string | null;
}

/**
 * What became of something that was sent.
 * - `translated`: other keys depend on it
 * - `openinference`: it has an OpenInference name and is shown under it
 * - `unused`: a dialect looked at it, and nothing that is shown depends on it: something else says the same or more
 * - `empty`: it was sent as JSON that says nothing
 * - `raw`: nothing was made of it; it is shown as it was sent
 */
export type SourceFate = 'translated' | 'openinference' | 'unused' | 'empty' | 'raw';

/** Something that was sent. */
export interface SourceReading {
  /** An attribute's key, `prefix.*` for those of an indexed list, or words for what lies elsewhere: `event gen_ai.choice: role`. */
  readonly label: string;
  /** How many attributes or fields the label stands for. */
  readonly count: number;
  readonly fate: SourceFate;
  /** Keys that are made of it, or else depend on it. */
  readonly to: readonly string[];
  /** What could not be read of it, a sentence; it is shown as it was sent. */
  readonly fault: string | null;
}

/** Something that a dialect added, or of which it made something else. */
export interface OutputReading {
  readonly key: string;
  /** The dialects that set it, the last one last. */
  readonly by: readonly string[];
  /** Labels of the sources whose values it holds or is made of; of several that say the same all. */
  readonly from: readonly string[];
  /** Labels of sources that decide about it without giving a value to it. */
  readonly dependsOn: readonly string[];
}
