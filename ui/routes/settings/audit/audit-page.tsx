import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Download, RotateCw, ScrollText } from 'lucide-react';
import { type Ref, startTransition, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react';
import { graphql, useFragment, usePaginationFragment } from 'react-relay';
import type { auditPage_query$key } from '#ui/__generated__/auditPage_query.graphql.ts';
import type { auditPagePageQuery } from '#ui/__generated__/auditPagePageQuery.graphql.ts';
import type { auditPageQuery } from '#ui/__generated__/auditPageQuery.graphql.ts';
import type { auditPageRow_event$key } from '#ui/__generated__/auditPageRow_event.graphql.ts';
import { Button, IconButton } from '#ui/components/button.tsx';
import type { DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { Menu, MenuItem, MenuTrigger } from '#ui/components/menu.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { download } from '#ui/lib/download.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useQuery } from '#ui/lib/use-query.ts';
import { SettingsActions } from '../settings-actions.tsx';
import { SettingsTable } from '../settings-table.tsx';
import settingsStyles from '../settings.module.css';
import { TableWithDetails } from '../table-with-details.tsx';
import { AUDIT_COLUMNS, renderAuditCard } from './audit-columns.tsx';
import { AuditFilters } from './audit-filters.tsx';
import styles from './audit-page.module.css';
import { type AuditSearch, exportPath, isNarrowed, toAuditFilter } from './audit-search.ts';

const QUERY = graphql`
  query auditPageQuery($filter: AuditEventFilter) {
    ...auditPage_query @arguments(first: 100, filter: $filter)
  }
`;

const PAGE = graphql`
  fragment auditPage_query on Query
  @refetchable(queryName: "auditPagePageQuery")
  @argumentDefinitions(
    first: { type: "Int!" }
    after: { type: "String" }
    filter: { type: "AuditEventFilter" }
  ) {
    auditEvents(first: $first, after: $after, filter: $filter) @connection(key: "auditPage_auditEvents") {
      edges {
        node {
          id
          ...auditPageRow_event
        }
      }
    }
  }
`;

const ROW = graphql`
  fragment auditPageRow_event on AuditEvent {
    occurredAt
    outcome
    operation
    count
    callerKind
    callerName
    keyName
    address
    objectType
    objectName
    changes
  }
`;

/** Who did what on this server. */
export function AuditPage() {
  const search = useSearch({ from: '/settings/audit-log' });
  const navigate = useNavigate();
  // A range that reaches up to now begins at the same time for all that is read of it.
  const [readAtMs, setReadAtMs] = useState(() => Date.now());
  const table = useRef<DataTableHandle>(null);
  const change = (next: AuditSearch) =>
    void navigate({ to: '/settings/audit-log', search: (before) => ({ ...before, ...next }) });
  const refresh = () => startTransition(() => setReadAtMs(Date.now()));
  const save = (format: 'csv' | 'jsonl') => download(exportPath(search, format, readAtMs), `audit-events.${format}`);
  useShortcuts('Audit log', [
    { keys: 'r', label: 'Refresh', run: refresh },
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);
  return (
    <>
      <SettingsActions>
        <IconButton icon={RotateCw} label="Refresh" shortcut="r" onPress={refresh} />
        <MenuTrigger>
          <Button icon={Download}>Export</Button>
          <Menu label="Export" placement="bottom end">
            <MenuItem onAction={() => save('csv')}>CSV</MenuItem>
            <MenuItem onAction={() => save('jsonl')}>JSON Lines</MenuItem>
          </Menu>
        </MenuTrigger>
      </SettingsActions>
      <TableWithDetails id="audit">
        <section className={settingsStyles.rows} aria-label="Audit log">
          <div className={settingsStyles.toolbar}>
            <AuditFilters search={search} onChange={change} />
          </div>
          <ErrorBoundary fallbackTitle="The audit log could not be loaded" resetKey={JSON.stringify(search)}>
            <Suspense fallback={<EventsPlace />}>
              <Events ref={table} search={search} readAtMs={readAtMs} />
            </Suspense>
          </ErrorBoundary>
        </section>
      </TableWithDetails>
    </>
  );
}

interface EventsProps {
  readonly search: AuditSearch;
  readonly readAtMs: number;
  readonly ref: Ref<DataTableHandle>;
}

function Events({ search, readAtMs, ref }: EventsProps) {
  // Events stay until those of the new filter are there.
  const shown = useDeferredValue(search);
  const { eventId: openId } = useParams({ strict: false });
  const navigate = useNavigate();
  const [failure, setFailure] = useState<Error | null>(null);
  const query = useQuery<auditPageQuery>(
    QUERY,
    { filter: toAuditFilter(shown, readAtMs) },
    { version: readAtMs, fetchPolicy: 'store-and-network' },
  );
  const { data, hasNext, loadNext, isLoadingNext } = usePaginationFragment<auditPagePageQuery, auditPage_query$key>(
    PAGE,
    query,
  );
  const { edges } = data.auditEvents;
  const events = useMemo(() => edges.map(({ node }) => node), [edges]);
  function loadMore(): void {
    if (isLoadingNext) return;
    setFailure(null);
    loadNext(PAGE_SIZE, { onComplete: setFailure });
  }
  return (
    <>
      <SettingsTable
        ref={ref}
        name="audit"
        label="Audit log"
        columns={AUDIT_COLUMNS}
        rows={events}
        useRow={useEventRow}
        renderCard={renderAuditCard}
        openId={openId}
        onOpen={(eventId) =>
          void navigate({
            to: '/settings/audit-log/$eventId',
            params: { eventId },
            search: (before) => before,
            replace: openId !== undefined,
          })
        }
        hasNext={hasNext && failure === null}
        onNearEnd={loadMore}
      >
        {events.length === 0 ? <NoEvents search={shown} /> : undefined}
      </SettingsTable>
      {failure !== null && (
        <div role="alert" className={styles.failed}>
          More events could not be loaded. {describeError(failure)}
          <Button size="sm" onPress={loadMore}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}

/** As many as the first page has, which the fragment says. */
const PAGE_SIZE = 100;

function NoEvents({ search }: { readonly search: AuditSearch }) {
  const navigate = useNavigate();
  if (isNarrowed(search))
    return (
      <EmptyState
        icon={ScrollText}
        title="No event matches"
        action={
          <Button onPress={() => void navigate({ to: '/settings/audit-log', search: {} })}>Clear the filters</Button>
        }
      >
        Names must match in full. Refused requests appear within a minute.
      </EmptyState>
    );
  return (
    <EmptyState icon={ScrollText} title="Nothing has happened yet">
      The log tells who signed in, and who changed, deleted or exported something.
    </EmptyState>
  );
}

/** Where events will stand. */
function EventsPlace() {
  return (
    <SettingsTable
      name="audit"
      label="Audit log"
      columns={AUDIT_COLUMNS}
      rows={[]}
      useRow={useEventRow}
      renderCard={renderAuditCard}
      onOpen={() => undefined}
      isLoading
    />
  );
}

function useEventRow(ref: auditPageRow_event$key & { readonly id: string }) {
  return useFragment(ROW, ref);
}
