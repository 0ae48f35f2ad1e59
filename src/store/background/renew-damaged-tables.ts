/** Who looks for damaged tables that can be made again, and makes them. */
export interface TableRenewal {
  /** Looks at groups of tables, one after the other; each reads all of a group. */
  readonly finds: readonly (() => Promise<readonly string[]>)[];
  /** Says what becomes of it. */
  readonly renew: (damaged: readonly string[]) => Promise<string>;
  readonly onRenewed: (message: string) => void;
  readonly onError: (error: unknown) => void;
  readonly nowMs: () => number;
}

/** To be called whenever pages are found damaged: looks at most every ten minutes. */
export function renewDamagedTables({ finds, renew, onRenewed, onError, nowMs }: TableRenewal): () => void {
  let lookAtMs = -Infinity;
  const look = async () => {
    for (const find of finds) {
      const damaged = await find();
      if (damaged.length > 0) onRenewed(await renew(damaged));
    }
  };
  return () => {
    if (nowMs() < lookAtMs) return;
    lookAtMs = nowMs() + LOOK_MS;
    look().catch(onError);
  };
}

const LOOK_MS = 600_000;
