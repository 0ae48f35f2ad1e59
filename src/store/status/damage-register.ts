/** What is known to be damaged: found since the server started or remembered, and not yet whole again. Each thing is in it once. */
import { type Damage, DAMAGE_KINDS, type DamageKind, type LostSpan } from '../engine/damage.ts';

/** What others may ask of a {@link DamageRegister}. */
export type KnownDamage = Pick<DamageRegister, 'counts'>;

/** What a {@link DamageRegister} calls when something changes. */
export interface DamageWatchers {
  /** A thing is damaged that was not known to be. */
  readonly onDamage: (damage: Damage) => void;
  /** So many spans are known to have lost what they share: the number has at least doubled since it was last said. */
  readonly onShared: (shared: string, spanCount: number) => void;
  /** One that was known is whole again, or gone. */
  readonly onMended: (damage: Damage) => void;
  /** Something is damaged that can be mended: what is made of originals is to be made again. */
  readonly onRepairable: (damage: Damage) => void;
}

/** Notes each thing that is damaged once, a bounded number of each kind, until it is found whole. */
export class DamageRegister {
  readonly #watchers: DamageWatchers;
  readonly #known = new Map<string, Damage>();
  readonly #lost = new Set<string>();
  /** Of what an earlier server knew, the messages of things that were not read again yet. */
  readonly #recalled = new Set<string>();
  /** Of how many spans that share something lost was last told, by the message. */
  readonly #told = new Map<string, number>();
  /** Segments of columns, parts of the index, rows that spans share, sums and indexes for which a repair was asked since everything was last read again. */
  readonly #repaired = new Set<string>();

  constructor(watchers: DamageWatchers) {
    this.#watchers = watchers;
  }

  note(damage: Damage): void {
    // However much is known to be damaged, what can be made again is.
    if (!this.#recalled.has(damage.message)) this.#askForRepair(damage);
    const message = damage.shared === undefined ? damage.message : `Spans that share the ${damage.shared} are damaged.`;
    const known = this.#known.get(message);
    if ((known !== undefined && damage.shared === undefined) || this.counts()[damage.kind] >= MAX_KNOWN) return;
    const lost = damage.spans.filter((span) => !this.#lost.has(keyOf(span)));
    // One read names all spans of a block, and another some of them.
    if (damage.spans.length > 0 && lost.length === 0) return;
    if (known !== undefined) return this.#addSpans(known, lost);
    for (const span of damage.spans) this.#lost.add(keyOf(span));
    this.#known.set(message, { ...damage, message });
    this.#watchers.onDamage({ ...damage, message });
  }

  /** Notes what an earlier server knew. The data may be others since: nothing is repaired before it was read again. */
  recall(damage: Damage): void {
    this.#recalled.add(damage.message);
    this.note(damage);
    if (!this.#known.has(damage.message)) this.#recalled.delete(damage.message);
  }

  #addSpans(known: Damage, lost: readonly LostSpan[]): void {
    const added = lost.slice(0, Math.max(MAX_KNOWN - known.spans.length, 0));
    if (added.length === 0) return;
    for (const span of added) this.#lost.add(keyOf(span));
    this.#known.set(known.message, { ...known, spans: [...known.spans, ...added] });
  }

  /** How many things of each kind are known to be damaged. */
  counts(): Readonly<Record<DamageKind, number>> {
    const counts = Object.fromEntries(DAMAGE_KINDS.map((kind) => [kind, 0])) as Record<DamageKind, number>;
    for (const { kind } of this.#known.values()) counts[kind]++;
    return counts;
  }

  /** All that is known. */
  known(): readonly Damage[] {
    return [...this.#known.values()];
  }

  /** The same, to be read again; what is still damaged is repaired once more. */
  startRecheck(): readonly Damage[] {
    this.#repaired.clear();
    for (const { message, shared, spans } of this.#known.values()) {
      if (shared === undefined || spans.length < 2 * (this.#told.get(message) ?? 0)) continue;
      this.#told.set(message, spans.length);
      this.#watchers.onShared(shared, spans.length);
    }
    return this.known();
  }

  /** Notes what is left of something that was read again; `null` for nothing. */
  settle(damage: Damage, rest: Damage | null): void {
    // A look that ended early says nothing yet.
    const isRead = rest?.recheckedTo === undefined;
    if (isRead && this.#recalled.delete(damage.message) && rest !== null) this.#askForRepair(rest);
    const left = new Set(rest?.spans.map(keyOf));
    for (const span of damage.spans.map(keyOf)) if (!left.has(span)) this.#lost.delete(span);
    // Some may have been added while it was read.
    const read = new Set(damage.spans);
    const added = this.#known.get(damage.message)?.spans.filter((span) => !read.has(span)) ?? [];
    if (rest !== null || added.length > 0) {
      this.#known.set(damage.message, { ...(rest ?? damage), spans: [...(rest?.spans ?? []), ...added] });
    } else if (this.#known.delete(damage.message)) {
      this.#told.delete(damage.message);
      this.#watchers.onMended(damage);
    }
  }

  #askForRepair(damage: Damage): void {
    const { segment, part, envelope, sums } = damage;
    const index = damage.index?.isRebuildable === true && damage.index.isLarge !== true ? damage.index : undefined;
    if ([segment, part, envelope, sums, index].every((place) => place === undefined)) return;
    const key = `${segment} ${part} ${envelope?.table} ${envelope?.rowId} ${sums?.projectRowId} ${sums?.fromUs} ${index?.name}`;
    if (this.#repaired.has(key)) return;
    this.#repaired.add(key);
    this.#watchers.onRepairable(damage);
  }
}

function keyOf({ traceId, spanId }: LostSpan): string {
  return `${traceId} ${spanId}`;
}

/** Of each kind. Beyond it `cairn doctor --verify` says more than a log can. */
const MAX_KNOWN = 1000;
