/** Builds the pages before any test looks at them, unless they are built from these very sources. */
import { ensureBuilt } from '../../scripts/bootstrap/build.mjs';

/** Vitest calls this once. */
export function setup(): void {
  ensureBuilt(process.execPath);
}
