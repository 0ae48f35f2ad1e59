import { useParams, useSearch } from '@tanstack/react-router';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import { useReadAnnotationNames } from './annotation-columns.tsx';
import { readRowSort } from './annotation-ids.ts';
import { GroupMenu } from './groups/group-menu.tsx';
import { GroupsRegion } from './groups/groups-region.tsx';
import { useGrouping } from './groups/use-grouping.ts';
import { ListPage } from './list-page.tsx';
import { ListRegion } from './list-region.tsx';
import { useListScope } from './list-scope.ts';
import { useProjectView } from './project-view.ts';
import { TRACE_COLUMNS, useTraceColumns } from './trace-columns.tsx';
import { TracesTable } from './traces-table.tsx';
import { ViewScope } from './views/view-scope.tsx';

const NEWEST_FIRST: Sort = { column: 'start', direction: 'desc' };
const SORTABLE = TRACE_COLUMNS.filter(({ isSortable }) => isSortable).map(({ id }) => id);

/** The traces of a project. */
export function TracesPage() {
  return (
    <ViewScope table="traces">
      <TracesList />
    </ViewScope>
  );
}

function TracesList() {
  const { sort: text } = useSearch({ from: '/projects/$projectId/traces' });
  const { traceId } = useParams({ strict: false });
  const scope = useListScope('trace');
  const { projectId } = useProjectView();
  useReadAnnotationNames('traces');
  const { columns } = useTraceColumns(projectId);
  const groups = useGrouping('trace', 'Traces');
  const sort = groups?.sort ?? readRowSort(text, SORTABLE, NEWEST_FIRST);
  return (
    <ListPage
      name="traces"
      label="Traces"
      noun="traces"
      grain="trace"
      scope={scope}
      columns={groups?.columns ?? columns}
      hasAttributes={groups === undefined}
      isGrouped={groups !== undefined}
      sort={sort}
      tools={<GroupMenu grain="trace" grouping={groups?.grouping} />}
    >
      {groups === undefined ? (
        <ListRegion title="The traces could not be loaded" query="tracesTableQuery" columns={columns}>
          {(fetch) => <TracesTable fetch={fetch} openTraceId={traceId} />}
        </ListRegion>
      ) : (
        <GroupsRegion grain="trace" {...groups} />
      )}
    </ListPage>
  );
}
