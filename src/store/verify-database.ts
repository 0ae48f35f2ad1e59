import { type Damage, listenForDamage } from './engine/damage.ts';
import type { EngineConfig } from './engine/engine-config.ts';
import { openReadEngine } from './open/open-engine.ts';
import { EnvelopeCache } from './spans/rows/envelope-cache.ts';
import { VERIFY_START, type VerifyPosition, verifyStep } from './verification/verify-step.ts';

/** What verifying a whole database found. */
export interface Verification {
  /** Each damaged thing once, a bounded number. */
  readonly damage: readonly Damage[];
  readonly damageCount: number;
  /** Rows of spans that differ from what today's rules read in their originals. */
  readonly differingRowCount: number;
}

/**
 * Reads everything in a database of this version, which a server may have open.
 * @param onStep hears where it is
 */
export async function verifyDatabase(
  config: EngineConfig,
  onStep: (position: VerifyPosition) => void,
): Promise<Verification> {
  const engine = await openReadEngine(config);
  const found = new Map<string, Damage>();
  const lostSpans = new Set<string>();
  let damageCount = 0;
  listenForDamage((damage) => {
    const { message, spans } = damage;
    const keys = spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`);
    // Spans of a damaged block are named together first, and each by itself where something else reads it.
    const isNamed = keys.length > 0 && keys.every((key) => lostSpans.has(key));
    if (found.has(message) || isNamed) return;
    for (const key of keys) lostSpans.add(key);
    damageCount++;
    if (found.size < MAX_LISTED) found.set(message, damage);
  });
  let differingRowCount = 0;
  try {
    const scope = { ...engine, envelopes: new EnvelopeCache() };
    for (let position: VerifyPosition | null = VERIFY_START; position !== null; ) {
      onStep(position);
      const step = await verifyStep(scope, position);
      differingRowCount += step.differingRowIds.length;
      position = step.next;
    }
    return { damage: [...found.values()], damageCount, differingRowCount };
  } finally {
    listenForDamage(() => undefined);
    await engine.close();
  }
}

const MAX_LISTED = 10_000;
