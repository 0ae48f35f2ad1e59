import { useParams, useSearch } from '@tanstack/react-router';
import type { Sort } from '#ui/components/data-table/table-column.ts';
import { useReadAnnotationNames } from './annotation-columns.tsx';
import { readRowSort } from './annotation-ids.ts';
import { ListPage } from './list-page.tsx';
import { ListRegion } from './list-region.tsx';
import { useListScope } from './list-scope.ts';
import { useProjectView } from './project-view.ts';
import { SESSION_COLUMNS, useSessionColumns } from './session-columns.tsx';
import { SessionsTable } from './sessions-table.tsx';
import { ViewScope } from './views/view-scope.tsx';

const NEWEST_FIRST: Sort = { column: 'start', direction: 'desc' };
const SORTABLE = SESSION_COLUMNS.filter(({ isSortable }) => isSortable).map(({ id }) => id);

/** The sessions of a project. */
export function SessionsPage() {
  return (
    <ViewScope table="sessions">
      <SessionsList />
    </ViewScope>
  );
}

function SessionsList() {
  const { sort: text } = useSearch({ from: '/projects/$projectId/sessions' });
  const { sessionId } = useParams({ strict: false });
  const scope = useListScope('session');
  const { projectId } = useProjectView();
  useReadAnnotationNames('sessions');
  const { columns } = useSessionColumns(projectId);
  const sort = readRowSort(text, SORTABLE, NEWEST_FIRST);
  return (
    <ListPage
      name="sessions"
      label="Sessions"
      noun="sessions"
      grain="session"
      scope={scope}
      columns={columns}
      sort={sort}
    >
      <ListRegion title="The sessions could not be loaded" query="sessionsTableQuery" columns={columns}>
        {(fetch) => <SessionsTable fetch={fetch} openSessionId={sessionId} />}
      </ListRegion>
    </ListPage>
  );
}
