import { useParams, useSearch } from '@tanstack/react-router';
import { readSort, type Sort } from '#ui/components/data-table/table-column.ts';
import { ListPage } from './list-page.tsx';
import { ListRegion } from './list-region.tsx';
import { useListScope } from './list-scope.ts';
import { SESSION_COLUMNS } from './session-columns.tsx';
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
  const sort = readSort(text, SORTABLE, NEWEST_FIRST);
  return (
    <ListPage
      name="sessions"
      label="Sessions"
      noun="sessions"
      grain="session"
      scope={scope}
      columns={SESSION_COLUMNS}
      sort={sort}
    >
      <ListRegion title="The sessions could not be loaded" query="sessionsTableQuery" columns={SESSION_COLUMNS}>
        {(fetch) => <SessionsTable fetch={fetch} openSessionId={sessionId} />}
      </ListRegion>
    </ListPage>
  );
}
