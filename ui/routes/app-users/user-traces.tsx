import { useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { createSelectionStore } from '#ui/components/data-table/selection-store.ts';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { readRowSort } from '../project/annotation-ids.ts';
import { ListContext, type ListView, type TableHandle } from '../project/list-context.ts';
import { ListRegion } from '../project/list-region.tsx';
import type { ListScope } from '../project/list-scope.ts';
import { SelectionPlace } from '../project/selection/selection-place.tsx';
import { TRACE_COLUMNS, useTraceColumns } from '../project/trace-columns.tsx';
import { TracesTable } from '../project/traces-table.tsx';
import { useColumnLayout, useDensity } from '../project/use-column-layout.ts';

const NEWEST_FIRST: Sort = { column: 'start', direction: 'desc' };
const SORTABLE = TRACE_COLUMNS.filter(({ isSortable }) => isSortable).map(({ id }) => id);

/** The table of traces, of those in which any span names the user. */
export function UserTraces({ scope }: { readonly scope: ListScope }) {
  const { projectId, filter } = scope;
  const { sort } = useSearch({ from: '/projects/$projectId/users/$userParam' });
  const { columns } = useTraceColumns(projectId);
  const [layout, setLayout] = useColumnLayout(projectId, 'traces', columns);
  const [density] = useDensity();
  const isNarrow = useMediaQuery(NARROW);
  const handle = useRef<TableHandle>(null);
  const [selection] = useState(createSelectionStore);
  const view: ListView = {
    name: 'traces',
    label: 'Traces',
    noun: 'traces',
    sort: readRowSort(sort, SORTABLE, NEWEST_FIRST),
    filter,
    layout: { ...layout, visibility: { ...layout.visibility, user: false } },
    // Who the user is stands above; the column stays as it was where the table is of all users.
    setLayout: (next) =>
      setLayout({ ...next, visibility: { ...next.visibility, user: layout.visibility['user'] ?? true } }),
    rowForm: isNarrow ? 'card' : density,
    handle,
    selection,
    // The filter is the page's own, and is refused as any failure is.
    onRefusal: () => undefined,
  };
  useShortcuts('Traces', [
    { keys: 'j', label: 'Next row', run: () => handle.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => handle.current?.step(-1) },
    { keys: 'x', label: 'Select the row', run: () => handle.current?.toggleSelected?.(false) },
  ]);
  return (
    <ListContext value={view}>
      <ListRegion title="The traces could not be loaded" query="tracesTableQuery" columns={columns}>
        {(fetch) => <TracesTable fetch={fetch} openTraceId={undefined} />}
      </ListRegion>
      <SelectionPlace projectId={projectId} scope={scope} isSeen onFocusLost={() => handle.current?.focusRow()} />
    </ListContext>
  );
}
