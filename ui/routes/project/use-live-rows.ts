import { useEffectEvent, useMemo, useState } from 'react';
import { type Change, findNewRows, findStaleRows, type LoadedRow, takingTurns } from '#ui/lib/live.ts';
import { useProjectChanges } from '#ui/lib/project-changes.ts';
import { useProjectView } from './project-view.ts';

/** How a table reads what changed. */
export interface LiveSource {
  /** Reads the first page again, in place of all that is loaded. */
  readonly readTop: () => Promise<unknown>;
  /** Ids of the rows that began last, whatever the table's order. */
  readonly readNewest: () => Promise<readonly string[]>;
  /** Reads rows again where they stand. */
  readonly readRows: (ids: readonly string[]) => Promise<unknown>;
  /** Whether the newest rows stand first, so that what is not loaded among them is new. */
  readonly isNewestFirst: boolean;
}

interface LiveRowsOptions extends LiveSource {
  readonly readRowKeys: () => readonly LoadedRow[];
  readonly isAtTop: () => boolean;
  readonly sight: () => { readonly first: number; readonly last: number };
  /** Names what the rows are a list of; another name restarts the count. */
  readonly listKey: string;
}

const TURN_MS = 1000;
const MAX_READ_AGAIN = 100;

interface News {
  readonly listKey: string;
  readonly ids: readonly string[];
  /** Newest rows that were there before; undefined until they are read. */
  readonly known: ReadonlySet<string> | undefined;
}

/**
 * Lets a table follow what arrives: at its top new rows come in by themselves, elsewhere they are counted until they are
 * asked for. Rows that changed are read again where they stand.
 */
export function useLiveRows(options: LiveRowsOptions) {
  const { listKey, isNewestFirst } = options;
  const { projectId, isLive, keepUp } = useProjectView();
  const empty: News = { listKey, ids: [], known: isNewestFirst ? new Set() : undefined };
  const [kept, setNews] = useState<News>(empty);
  const news = kept.listKey === listKey ? kept : empty;

  const takeIn = useEffectEvent(async () => {
    keepUp();
    await options.readTop();
    setNews({ ...empty, known: isNewestFirst ? new Set() : new Set(await options.readNewest()) });
  });
  const act = useEffectEvent(async (change: Change) => {
    // When the user comes back to the page, a change is announced then.
    if (document.hidden) return;
    if (options.isAtTop()) {
      await takeIn();
      return;
    }
    const newest = await options.readNewest();
    const rows = options.readRowKeys();
    const loaded = new Set(rows.map(({ key }) => key));
    const known = news.known ?? new Set(newest);
    setNews({ listKey, known, ids: findNewRows(newest, loaded, known) });
    const stale = findStaleRows(rows, change, options.sight(), MAX_READ_AGAIN);
    if (stale.length > 0) await options.readRows(stale);
  });
  const tell = useMemo(() => takingTurns((change) => act(change), TURN_MS), []);
  useProjectChanges(projectId, isLive, tell);

  return { newCount: news.ids.length, takeIn: () => void takeIn().catch(() => undefined) };
}
