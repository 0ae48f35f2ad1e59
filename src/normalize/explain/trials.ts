/**
 * What depends on what, found out by reading the span again without some of it. That is true however a dialect reads,
 * where guessing from its code or from equal values would not be.
 */
import type { JsonValue } from '#base/json';
import { ATTR_SPAN_KIND } from '#semconv/openinference';
import type { Dialect, SpanRecord } from '../dialects/dialect.ts';
import { applyDialect, toEvidence } from '../normalize-span.ts';
import { isIndexed, selectParts, type SentParts } from './sent-parts.ts';

/** Reads a span again and again, up to bounds on the work and the time. */
export class Trials {
  #parts: SentParts;
  readonly #speakers: readonly Dialect[];
  readonly #outputs: ReadonlyMap<string, JsonValue>;
  readonly #kind: JsonValue | undefined;
  #spanBytes: number;
  #recordBytes: number;
  #bytesLeft = MAX_BYTES;
  #trialsLeft = MAX_TRIALS;
  #isExhausted = false;
  readonly #endMs = threadMs() + MAX_MS;

  /**
   * @param speakers dialects that speak in the whole span; they go on speaking when what told so is left out
   * @param outputs what they added to the whole span
   * @param byteCount of the span's message, without its log records
   */
  constructor(
    parts: SentParts,
    speakers: readonly Dialect[],
    outputs: ReadonlyMap<string, JsonValue>,
    byteCount: number,
  ) {
    this.#parts = parts;
    this.#speakers = speakers;
    this.#outputs = outputs;
    this.#kind = outputs.get(ATTR_SPAN_KIND);
    const keys = parts.attributes.map(({ key }) => key);
    this.#spanBytes = byteCount + keys.reduce((sum, key) => sum + attributeBytes(key), 0);
    this.#recordBytes = countBytes(parts.records);
  }

  /** Leaves these sources out of every further trial, because nothing depends on them. */
  leaveOut(sourceIds: ReadonlySet<string>): void {
    const countBefore = this.#parts.attributes.length;
    this.#parts = selectParts(this.#parts, (id) => !sourceIds.has(id));
    this.#spanBytes *= (1 + this.#parts.attributes.length) / (1 + countBefore);
    this.#recordBytes = countBytes(this.#parts.records);
  }

  /** Whether trials were refused because there had been too many, or they had taken too long. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** The outputs that are missing or different without these sources; `undefined` where no more can be tried. */
  changedWithout(removed: ReadonlySet<string>): readonly string[] | undefined {
    return this.#compare((id) => !removed.has(id), this.#bytesEach());
  }

  /** The outputs that are the same with this source alone; `undefined` where no more can be tried. */
  sameWithOnly(kept: string): ReadonlySet<string> | undefined {
    const changed = this.#compare((id) => id === kept, this.#bytesEach() / 4);
    return changed && new Set([...this.#outputs.keys()].filter((key) => !changed.includes(key)));
  }

  /** What kind of span it is decides what is read of it: a source that tells the kind is not what all else is made of. */
  #compare(isKept: (sourceId: string) => boolean, bytes: number): readonly string[] | undefined {
    if (!this.#mayTry()) return undefined;
    const parts = selectParts(this.#parts, isKept);
    const changed = this.#run(parts, bytes, undefined);
    if (this.#kind === undefined || changed?.includes(ATTR_SPAN_KIND) !== true) return changed;
    const others = this.#run(parts, bytes, this.#kind);
    return others && [ATTR_SPAN_KIND, ...others];
  }

  #bytesEach(): number {
    return this.#spanBytes + this.#recordBytes;
  }

  #mayTry(): boolean {
    this.#isExhausted ||= this.#bytesLeft <= 0 || this.#trialsLeft <= 0 || threadMs() > this.#endMs;
    return !this.#isExhausted;
  }

  #run(parts: SentParts, bytes: number, kind: JsonValue | undefined): readonly string[] | undefined {
    if (!this.#mayTry()) return undefined;
    this.#bytesLeft -= bytes;
    this.#trialsLeft--;
    const evidence = toEvidence(parts, parts.scope, parts.resource, parts.records);
    evidence.attributes.fill(ATTR_SPAN_KIND, kind);
    for (const dialect of this.#speakers) applyDialect(dialect, evidence);
    const changed: string[] = [];
    for (const [key, value] of this.#outputs) {
      if (!isSame(value, evidence.attributes.get(key))) changed.push(key);
    }
    return changed;
  }
}

/** What an attribute costs beside its bytes. */
const ATTRIBUTE_BYTES = 200;

/** What one more costs whose key has an index: it is put into a list with others. */
const INDEXED_BYTES = 600;

function attributeBytes(key: string): number {
  return isIndexed(key) ? ATTRIBUTE_BYTES + INDEXED_BYTES : ATTRIBUTE_BYTES;
}

/** What log records cost in a trial, in bytes. */
function countBytes(records: readonly SpanRecord[]): number {
  let bytes = 0;
  for (const { body, attributes } of records) {
    bytes += ATTRIBUTE_BYTES + (JSON.stringify(body)?.length ?? 0) + JSON.stringify(attributes).length;
    for (const key of Object.keys(attributes)) bytes += attributeBytes(key);
  }
  return bytes;
}

/** What this thread has worked, so that a busy machine explains as much as an idle one. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Explaining runs in a thread that others wait for: a fraction of a second at most. */
const MAX_MS = 300;
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TRIALS = 1000;

function isSame(a: JsonValue, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
