/** How much memory the process may take. */
import { totalmem } from 'node:os';

/** Where nothing limits it, and what the files in docs/deploy set. */
const DEFAULT_BYTES = 2 ** 30;

/**
 * The bytes that the process may take: what a setting says, else what the group of processes may have that it is in (a container, a
 * service of systemd). Without a limit 1 GiB, which suffices and leaves the rest to others.
 */
export function deriveMaxMemory(settingMib: number | undefined, ofGroup = process.constrainedMemory()): number {
  if (settingMib !== undefined) return settingMib * 2 ** 20;
  // Without a limit, kernels answer 0 or more than there is.
  const isLimited = ofGroup > 0 && ofGroup < totalmem();
  return isLimited ? ofGroup : Math.min(DEFAULT_BYTES, totalmem());
}

/** The largest request where no setting says: it is there several times while it is stored. */
export function deriveOtlpMaxBytes(setting: number | undefined, maxMemoryBytes: number): number {
  const ofMemory = Math.floor((maxMemoryBytes - PROGRAM_BYTES) / 12);
  return setting ?? Math.min(MOST_OTLP_BYTES, Math.max(LEAST_OTLP_BYTES, ofMemory));
}

const MIB = 2 ** 20;

/** What the program takes without requests. */
const PROGRAM_BYTES = 256 * MIB;
const LEAST_OTLP_BYTES = 16 * MIB;
const MOST_OTLP_BYTES = 64 * MIB;
