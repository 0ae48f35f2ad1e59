/** Builds the pages before any test looks at them, unless they are built from these very sources, and unpacks the browser. */
import { ensureBuilt } from '../../scripts/bootstrap/build.mjs';
import { findBrowserOfTests } from '../harness/browser.ts';

/** Vitest calls this once, and its workers have what it sets: two that unpack at the same time start half a browser. */
export async function setup(): Promise<void> {
  ensureBuilt(process.execPath);
  process.env['CAIRN_TEST_BROWSER'] = await findBrowserOfTests();
}
