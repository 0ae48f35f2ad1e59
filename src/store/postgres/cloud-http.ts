/** Questions to the services of a cloud that tell a program who it is. */

/** Those on the same machine answer at once; elsewhere nobody may be there at all. */
const TIMEOUT_MS = 5_000;

/** Larger answers are not of such a service. */
const MAX_BYTES = 65_536;

/**
 * The text that a service answers with.
 * @throws Error with what it answered instead
 */
export async function askCloud(url: string, init: RequestInit, what: string): Promise<string> {
  const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error: unknown) => {
      throw new Error(`${what} cannot be reached at ${new URL(url).origin}`, { cause: error });
    },
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${what} responded with ${response.status}: ${text.slice(0, 200)}`);
  if (text.length > MAX_BYTES) throw new Error(`${what} sent a response of ${text.length} characters`);
  return text;
}

/** A member of a JSON object that is text, or a number; undefined for anything else. */
export function memberOf(json: string, name: string): string | undefined {
  const value: unknown = (JSON.parse(json) as Record<string, unknown> | null)?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Keeps what `fetchOne` gives until shortly before its end; one question serves all who ask at the same time. */
export function keepUntilEnd<T extends { readonly endsAtMs: number }>(
  fetchOne: () => Promise<T>,
  now: () => number = Date.now,
): () => Promise<T> {
  let kept: T | undefined;
  let asking: Promise<T> | undefined;
  return async () => {
    if (kept !== undefined && kept.endsAtMs - now() > MARGIN_MS) return kept;
    asking ??= fetchOne().finally(() => {
      asking = undefined;
    });
    kept = await asking;
    return kept;
  };
}

/** A login takes time, and clocks differ. */
const MARGIN_MS = 5 * 60_000;
