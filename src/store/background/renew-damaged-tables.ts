/** Who looks for damaged tables that are made from others, and makes them again. */
export interface TableRenewal {
  /** Reads all of them. */
  readonly find: () => Promise<readonly string[]>;
  /** Says what becomes of it. */
  readonly renew: (damaged: readonly string[]) => Promise<string>;
  readonly onRenewed: (message: string) => void;
  readonly onError: (error: unknown) => void;
  readonly nowMs: () => number;
}

/** To be called whenever pages are found damaged: looks at most every ten minutes. */
export function renewDamagedTables({ find, renew, onRenewed, onError, nowMs }: TableRenewal): () => void {
  let lookAtMs = -Infinity;
  const look = async () => {
    const damaged = await find();
    if (damaged.length > 0) onRenewed(await renew(damaged));
  };
  return () => {
    if (nowMs() < lookAtMs) return;
    lookAtMs = nowMs() + LOOK_MS;
    look().catch(onError);
  };
}

const LOOK_MS = 600_000;
