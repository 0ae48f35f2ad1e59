import { type Damage, listenForDamage } from './engine/damage.ts';
import { DamageList } from './verification/damage-list.ts';
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
  const found = new DamageList();
  listenForDamage((damage) => found.add(damage));
  let differingRowCount = 0;
  try {
    const scope = { ...engine, envelopes: new EnvelopeCache() };
    for (let position: VerifyPosition | null = VERIFY_START; position !== null; ) {
      onStep(position);
      const step = await verifyStep(scope, position);
      differingRowCount += step.differingRowIds.length;
      position = step.next;
    }
    return { damage: found.listed, damageCount: found.count, differingRowCount };
  } finally {
    listenForDamage(() => undefined);
    await engine.close();
  }
}
