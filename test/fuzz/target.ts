/** One thing to feed with hostile input, and what must hold whatever it is fed. */
import type { Random } from './random.ts';

/** What was found wrong; anything else that a check throws is a finding as well. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

/** A decoder with its inputs. */
export interface Target {
  readonly name: string;
  /** An input, the same for the same choices. */
  readonly create: (random: Random) => Uint8Array;
  /** Decodes the input and compares. @throws Finding where something does not hold */
  readonly check: (input: Uint8Array, random: Random) => void | Promise<void>;
}

/** Throws a finding unless it holds. */
export function hold(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new Finding(what());
}
