import { useParams, useSearch } from '@tanstack/react-router';
import { readSort, type Sort } from '#ui/components/data-table/table-column.ts';
import { ListPage } from './list-page.tsx';
import { ListRegion } from './list-region.tsx';
import { useListScope } from './list-scope.ts';
import { TRACE_COLUMNS } from './trace-columns.tsx';
import { TracesTable } from './traces-table.tsx';

const NEWEST_FIRST: Sort = { column: 'start', direction: 'desc' };
const SORTABLE = TRACE_COLUMNS.filter(({ isSortable }) => isSortable).map(({ id }) => id);

/** The traces of a project. */
export function TracesPage() {
  const { sort: text } = useSearch({ from: '/projects/$projectId/traces' });
  const { traceId } = useParams({ strict: false });
  const scope = useListScope('trace');
  const sort = readSort(text, SORTABLE, NEWEST_FIRST);
  return (
    <ListPage
      name="traces"
      label="Traces"
      noun="traces"
      grain="trace"
      scope={scope}
      columns={TRACE_COLUMNS}
      sort={sort}
    >
      <ListRegion title="The traces could not be loaded" query="tracesTableQuery" columns={TRACE_COLUMNS}>
        {(fetch) => <TracesTable fetch={fetch} openTraceId={traceId} />}
      </ListRegion>
    </ListPage>
  );
}
