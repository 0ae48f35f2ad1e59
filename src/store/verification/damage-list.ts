/** Damage that is found while everything is read, each thing once. */
import type { Damage } from '../engine/damage.ts';

/** Lists a bounded number of things, and counts them all. */
export class DamageList {
  readonly #byMessage = new Map<string, Damage>();
  readonly #lostSpans = new Set<string>();
  #count = 0;

  get listed(): readonly Damage[] {
    return [...this.#byMessage.values()];
  }

  get count(): number {
    return this.#count;
  }

  add(damage: Damage): void {
    if (this.#byMessage.has(damage.message) || this.#isNamed(damage)) return;
    this.#count++;
    if (this.#byMessage.size < MAX_LISTED) this.#byMessage.set(damage.message, damage);
  }

  /** Spans of a damaged block are named together when it is read, and each by itself where something else reads it. */
  #isNamed({ kind, shared, spans }: Damage): boolean {
    if (kind !== 'span' || shared !== undefined) return false;
    const keys = spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
    const isNamed = keys.length > 0 && keys.every((key) => this.#lostSpans.has(key));
    for (const key of keys) if (this.#lostSpans.size < MAX_SPANS) this.#lostSpans.add(key);
    return isNamed;
  }
}

const MAX_LISTED = 10_000;
const MAX_SPANS = 100_000;
