import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { useReadAnnotationNames } from './annotation-columns.tsx';
import { readRowSort } from './annotation-ids.ts';
import { GroupMenu } from './groups/group-menu.tsx';
import { GroupsRegion } from './groups/groups-region.tsx';
import { useGrouping } from './groups/use-grouping.ts';
import { ListPage } from './list-page.tsx';
import { ListRegion } from './list-region.tsx';
import { useListScope } from './list-scope.ts';
import { useProjectView } from './project-view.ts';
import { SPAN_COLUMNS, useSpanColumns } from './span-columns.tsx';
import { SpansTable } from './spans-table.tsx';
import { ViewScope } from './views/view-scope.tsx';

const NEWEST_FIRST: Sort = { column: 'start', direction: 'desc' };
const SORTABLE = SPAN_COLUMNS.filter(({ isSortable }) => isSortable).map(({ id }) => id);

/** The spans of a project: those that begin a trace, or all. */
export function SpansPage() {
  return (
    <ViewScope table="spans">
      <SpansList />
    </ViewScope>
  );
}

function SpansList() {
  const { sort: text, spans } = useSearch({ from: '/projects/$projectId/spans' });
  const { traceId } = useParams({ strict: false });
  const { selectedSpanNodeId } = useSearch({ strict: false });
  const navigate = useNavigate();
  const scope = useListScope('span');
  const { projectId } = useProjectView();
  useReadAnnotationNames('spans');
  const { columns } = useSpanColumns(projectId);
  const groups = useGrouping('span', 'Spans');
  const sort = groups?.sort ?? readRowSort(text, SORTABLE, NEWEST_FIRST);
  return (
    <ListPage
      name="spans"
      label="Spans"
      noun="spans"
      grain="span"
      scope={scope}
      columns={groups?.columns ?? columns}
      hasAttributes={groups === undefined}
      isGrouped={groups !== undefined}
      sort={sort}
      tools={
        <>
          <SegmentedControl<'all' | 'roots'>
            label="Which spans"
            items={[
              { id: 'all', label: 'All spans' },
              { id: 'roots', label: 'Roots only' },
            ]}
            selectedKey={spans ?? 'all'}
            onSelectionChange={(key) =>
              void navigate({
                to: '.',
                search: (before) => ({ ...before, spans: key === 'roots' ? key : undefined }),
                replace: true,
              })
            }
          />
          <GroupMenu grain="span" grouping={groups?.grouping} />
        </>
      }
    >
      {groups === undefined ? (
        <ListRegion title="The spans could not be loaded" query="spansTableQuery" columns={columns} choice={spans}>
          {(fetch) => (
            <SpansTable
              fetch={fetch}
              rootSpansOnly={spans === 'roots'}
              openTraceId={traceId}
              openSpanId={selectedSpanNodeId}
            />
          )}
        </ListRegion>
      ) : (
        <GroupsRegion grain="span" {...groups} rootsOnly={spans === 'roots'} />
      )}
    </ListPage>
  );
}
