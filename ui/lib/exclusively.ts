/** One tab of this browser at a time. */

const WAIT_MS = 20_000;
const HELD_MS = 12_000;
const SETTLE_MS = 40;
const ASK_AGAIN_MS = 100;

/**
 * Runs `act` while no other tab runs anything under this name.
 * Browsers lock only for pages that came over HTTPS or from this machine; the others agree by what they store.
 */
export async function exclusively<T>(name: string, act: () => Promise<T>): Promise<T> {
  if (navigator.locks !== undefined) {
    return navigator.locks.request(name, { signal: AbortSignal.timeout(WAIT_MS) }, act);
  }
  const key = `cairn.lock.${name}`;
  const own = crypto.getRandomValues(new Uint32Array(2)).join('');
  await takeTurn(key, own);
  try {
    return await act();
  } finally {
    if (readHolder(key) === own) localStorage.removeItem(key);
  }
}

/** Holds it for a while, so that a tab that was closed keeps nobody waiting. Gives up waiting in the end. */
async function takeTurn(key: string, own: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (Date.now() < deadline) {
    if (readHolder(key) === undefined) {
      try {
        localStorage.setItem(key, JSON.stringify({ holder: own, untilMs: Date.now() + HELD_MS }));
      } catch {
        return; // a browser that keeps nothing has no other tab to agree with
      }
      // Of tabs that wrote at the same time the last one has it.
      await pause(SETTLE_MS);
      if (readHolder(key) === own) return;
    }
    await pause(ASK_AGAIN_MS);
  }
}

/** Who holds it now. */
function readHolder(key: string): string | undefined {
  try {
    const { holder, untilMs } = JSON.parse(localStorage.getItem(key) ?? '{}') as { holder?: string; untilMs?: number };
    return untilMs !== undefined && untilMs > Date.now() ? holder : undefined;
  } catch {
    return undefined;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
