import { useChildMatches, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useRelayEnvironment } from 'react-relay';
import type { ViewTable } from '#domain/saved-view';
import { isNodeId } from '#ui/lib/node-id.ts';
import { readStored, writeStored } from '#ui/lib/storage.ts';
import type { TimeRangeSearch } from '#ui/lib/time-range.ts';
import type { ListSearch } from '../project-search.ts';
import { useProjectView } from '../project-view.ts';
import { NO_VIEW, OpenViewContext, useOpenView } from './open-view.ts';
import { readContent, useContent, useViews } from './view-data.ts';
import { tableOf } from './view-tables.ts';

interface ViewScopeProps {
  readonly table: ViewTable;
  readonly children: ReactNode;
}

/** Gives a table the view that its address names; a bare address opens the default view. */
export function ViewScope(props: ViewScopeProps) {
  const { projectId } = useProjectView();
  return <ScopeOfProject key={projectId} {...props} />;
}

function ScopeOfProject({ table, children }: ViewScopeProps) {
  const { projectId } = useProjectView();
  const { saved } = useSearch({ strict: false });
  const id = saved !== undefined && isNodeId('SavedView', saved) ? saved : undefined;
  const content = useContent(id);
  const isWaiting = useDefaultView(projectId, table);
  const view = useMemo(
    () => (id === undefined || content == null ? undefined : { id, table, content }),
    [id, table, content],
  );
  // The rows of another state would be read for nothing.
  if (isWaiting || content === undefined) return null;
  return <OpenViewContext value={view}>{children}</OpenViewContext>;
}

/**
 * Opens the default view of a table that was come to by a bare address; says whether that is still to be waited for. Only where this browser
 * knows of a default view does the table wait for the answer.
 */
function useDefaultView(projectId: string, table: ViewTable): boolean {
  const environment = useRelayEnvironment();
  const search = useSearch({ strict: false });
  const isOpen = useChildMatches().length > 0;
  const { views, error } = useViews(projectId);
  const open = useOpenView();
  const isBare = isBareSearch(search) && !isOpen;
  const [isEntry, setIsEntry] = useState(isBare);
  const [lastSaved, setLastSaved] = useState(search.saved);
  if (search.saved !== lastSaved) {
    setLastSaved(search.saved);
    // Without a view, only the link to the table leads to a bare address.
    if (isBare && lastSaved === NO_VIEW) setIsEntry(true);
  }
  const key = `defaultView.${table}.${projectId}`;
  const [isExpected] = useState(() => readStored(key, (value) => value === true) ?? false);
  const ofTable = views?.filter((view) => tableOf(view) === table);
  const chosen =
    ofTable?.find(({ isOwnDefault }) => isOwnDefault) ?? ofTable?.find(({ isSharedDefault }) => isSharedDefault);
  const isKnown = views !== undefined;
  const defaultId = chosen?.id;
  useEffect(() => {
    if (isKnown) writeStored(key, defaultId !== undefined);
    if (!isEntry || !isKnown) return undefined;
    if (!isBare || defaultId === undefined) {
      setIsEntry(false);
      return undefined;
    }
    let isWanted = true;
    readContent(environment, defaultId)
      .then((content) => {
        if (isWanted && content !== null) open({ id: defaultId, table }, content, { replace: true });
      })
      .catch(() => undefined)
      .finally(() => isWanted && setIsEntry(false));
    return () => {
      isWanted = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- The way to open is another one with each address.
  }, [environment, key, table, isEntry, isKnown, isBare, defaultId]);
  return isEntry && isBare && isExpected && error === undefined;
}

/** Whether an address says of its table at most for how long back it looks. */
function isBareSearch({ saved, filter, sort, group, spans, start, end }: ListSearch & TimeRangeSearch): boolean {
  return [saved, filter, sort, group, spans, start, end].every((part) => part === undefined);
}
