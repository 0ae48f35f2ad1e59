/** Following what changes on the server: a stream while the page is seen, asking now and then where there is none. */

/** What changed: hexadecimal trace ids, or null where anything may have. */
export type Change = readonly string[] | null;

/** How changes are learnt. */
export interface ChangeSource {
  /** Opens the stream; `onEnd` is called once when it ends, however it does. Returns what closes it. */
  stream(onChange: (change: Change) => void, onEnd: () => void): () => void;
  /** A mark that is later in the alphabet after every change. Of several servers behind one address some may hear of it moments later. */
  readMark(): Promise<string | null>;
}

/** Whether anybody sees the page. */
export interface Attention {
  isHidden(): boolean;
  /** Calls `listener` whenever it changes, until what it returns is called. */
  watch(listener: () => void): () => void;
}

/** How often a server is asked that gives no stream. */
export const POLL_INTERVAL_MS = 2000;
/** How long polling continues before the stream is tried again. */
export const RETRY_STREAM_AFTER_MS = 30_000;

/**
 * Calls `onChange` for every change until the function that it returns is called. Nothing is asked of the server while
 * the page is hidden; what changed meanwhile is caught up with one call when it is seen again.
 */
export function followChanges(
  source: ChangeSource,
  attention: Attention,
  onChange: (change: Change) => void,
): () => void {
  let stopCurrent: (() => void) | undefined;
  /** The latest, whichever server said it. */
  let mark: string | undefined;

  function openStream(): void {
    const close = source.stream(onChange, () => {
      if (stopCurrent === close) stopCurrent = poll();
    });
    stopCurrent = close;
  }

  function poll(): () => void {
    const timer = setInterval(() => void ask(), POLL_INTERVAL_MS);
    const retry = setTimeout(() => {
      stopCurrent?.();
      openStream();
    }, RETRY_STREAM_AFTER_MS);
    let isAsking = false;
    let isStopped = false;
    async function ask(): Promise<void> {
      if (isAsking) return;
      isAsking = true;
      // A server that does not answer is asked again in a moment; the page shows elsewhere that it is gone.
      const current = await source.readMark().then(
        (said) => said ?? '',
        () => undefined,
      );
      isAsking = false;
      if (isStopped || current === undefined) return;
      // What the stream did not pass on any more is caught up with by the first answer.
      if (mark !== undefined && current <= mark) return;
      mark = current;
      onChange(null);
    }
    void ask();
    return () => {
      isStopped = true;
      clearInterval(timer);
      clearTimeout(retry);
    };
  }

  function follow(): void {
    if (attention.isHidden()) {
      stopCurrent?.();
      stopCurrent = undefined;
    } else if (stopCurrent === undefined) openStream();
  }

  const unwatch = attention.watch(follow);
  follow();
  return () => {
    unwatch();
    stopCurrent?.();
    stopCurrent = undefined;
  };
}

/**
 * A listener that calls `act` for changes one call at a time, at most one each `intervalMs`. What comes meanwhile is
 * joined into the next call.
 */
export function takingTurns(act: (change: Change) => Promise<void>, intervalMs: number): (change: Change) => void {
  let waiting: Change | undefined;
  let isBusy = false;
  async function work(): Promise<void> {
    isBusy = true;
    while (waiting !== undefined) {
      const change = waiting;
      waiting = undefined;
      const pause = new Promise((resolve) => setTimeout(resolve, intervalMs));
      // A server that is gone for a moment is asked again by the next change.
      await act(change).catch(() => undefined);
      await pause;
    }
    isBusy = false;
  }
  return (change) => {
    waiting = joinChanges(waiting, change);
    if (!isBusy) void work();
  };
}

function joinChanges(earlier: Change | undefined, later: Change): Change {
  if (earlier === undefined) return later;
  return earlier === null || later === null ? null : [...new Set([...earlier, ...later])];
}

/** Row keys of the newest rows that are neither loaded nor known, in their order. */
export function findNewRows(
  newest: readonly string[],
  loaded: ReadonlySet<string>,
  known: ReadonlySet<string>,
): readonly string[] {
  return newest.filter((key) => !loaded.has(key) && !known.has(key));
}

/** A loaded row, for choosing what to read again. `traceId` is undefined where the row stands for several traces. */
export interface LoadedRow {
  readonly key: string;
  readonly traceId: string | undefined;
}

/**
 * Keys of the rows to read again after a change, at most `limit`: those of the traces that changed, wherever they are,
 * and those of the rows in sight where it is not known what changed.
 */
export function findStaleRows(
  rows: readonly LoadedRow[],
  change: Change,
  inSight: { readonly first: number; readonly last: number },
  limit: number,
): readonly string[] {
  const changed = change === null ? undefined : new Set(change);
  const stale = rows.filter(({ traceId }, index) =>
    changed === undefined || traceId === undefined
      ? index >= inSight.first && index <= inSight.last
      : changed.has(traceId),
  );
  return stale.slice(0, limit).map(({ key }) => key);
}
