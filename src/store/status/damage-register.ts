/** What is known to be damaged since the server started, each thing once. */
import { type Damage, DAMAGE_KINDS, type DamageKind, type LostSpan } from '../engine/damage.ts';

/** What others may ask of a {@link DamageRegister}. */
export type KnownDamage = Pick<DamageRegister, 'counts' | 'spansOfTrace'>;

/** Notes each thing that is damaged once, a bounded number of them. */
export class DamageRegister {
  readonly #onNew: (damage: Damage) => void;
  readonly #known = new Map<string, Damage>();
  readonly #lost = new Set<string>();

  /** @param onNew hears of each thing that was not known */
  constructor(onNew: (damage: Damage) => void) {
    this.#onNew = onNew;
  }

  note(damage: Damage): void {
    if (this.#known.has(damage.message) || this.#known.size >= MAX_KNOWN) return;
    const spans = damage.spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
    // One read names all spans of a block, and another some of them.
    if (spans.length > 0 && spans.every((span) => this.#lost.has(span))) return;
    for (const span of spans) this.#lost.add(span);
    this.#known.set(damage.message, damage);
    this.#onNew(damage);
  }

  /** How many things of each kind are known to be damaged. */
  counts(): Readonly<Record<DamageKind, number>> {
    const counts = Object.fromEntries(DAMAGE_KINDS.map((kind) => [kind, 0])) as Record<DamageKind, number>;
    for (const { kind } of this.#known.values()) counts[kind]++;
    return counts;
  }

  /** Spans of a trace whose originals are known to be lost. */
  spansOfTrace(traceId: string): readonly LostSpan[] {
    return [...this.#known.values()].flatMap(({ spans }) => spans.filter((span) => span.traceId === traceId));
  }
}

/** Beyond it `cairn doctor --verify` says more than a log can. */
const MAX_KNOWN = 1000;
