import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { ColumnMenu } from '#ui/components/data-table/column-menu.tsx';
import { DataTable, type DataTableHandle } from '#ui/components/data-table/data-table.tsx';
import { readSort } from '#ui/components/data-table/table-column.ts';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useRefresh } from '../project/list-scope.ts';
import { MissingProject } from '../project/missing-project.tsx';
import { useProjectView } from '../project/project-view.ts';
import { SortMenu } from '../project/sort-menu.tsx';
import { useColumnLayout, useDensity } from '../project/use-column-layout.ts';
import { MOST_EXPENSIVE_FIRST, renderUserCard, SORTABLE, USER_COLUMNS } from './user-columns.tsx';
import { UsersTable, type UsersTableFrame } from './users-table.tsx';
import type { UsersFetch } from './use-users.ts';
import styles from './users-page.module.css';

const FirstTrace = lazy(async () => ({ default: (await import('../onboarding/first-trace.tsx')).FirstTrace }));

/** The users of a project, or how to send the first trace. */
export function UsersPage() {
  if (!useProjectView().isNew) return <Users />;
  return (
    <Suspense>
      <FirstTrace />
    </Suspense>
  );
}

/** Keys wait for so long before the address follows. */
const SETTLE_MS = 200;

function Users() {
  const { projectId, timeRange, toolPlace } = useProjectView();
  const { user = '', sort: order } = useSearch({ from: '/projects/$projectId/users' });
  const navigate = useNavigate();
  const isNarrow = useMediaQuery(NARROW);
  const [layout, onLayoutChange] = useColumnLayout(projectId, 'users', USER_COLUMNS);
  const [density, onDensityChange] = useDensity();
  const [total, setTotal] = useState<number>();
  const [text, setText] = useSearchText(
    user,
    (next) => void navigate({ to: '.', search: (before) => ({ ...before, user: next || undefined }), replace: true }),
  );
  const table = useRef<DataTableHandle>(null);
  const field = useRef<HTMLInputElement>(null);
  const sort = readSort(order, SORTABLE, MOST_EXPENSIVE_FIRST);
  const refresh = useRefresh();
  const { column, direction } = sort;
  const wanted = useMemo(
    (): UsersFetch => ({ projectId, timeRange, search: user, sort: { column, direction }, refresh }),
    [projectId, timeRange, user, column, direction, refresh],
  );
  const shown = useDeferredValue(wanted);
  const clear = () => setText('');
  useShortcuts('Users', [
    { keys: '/', label: 'Search users', run: () => field.current?.focus() },
    { keys: 'j', label: 'Next row', run: () => table.current?.step(1) },
    { keys: 'k', label: 'Previous row', run: () => table.current?.step(-1) },
  ]);
  const frame: UsersTableFrame = { layout, onLayoutChange, rowForm: isNarrow ? 'pair' : density, ref: table };
  return (
    <section className={styles.page} aria-label="Users">
      {toolPlace !== null &&
        !isNarrow &&
        createPortal(
          <ColumnMenu
            columns={USER_COLUMNS}
            layout={layout}
            onLayoutChange={onLayoutChange}
            density={density}
            onDensityChange={onDensityChange}
          />,
          toolPlace,
        )}
      <div className={styles.bar}>
        <SearchField
          label="Search users by id"
          inputRef={field}
          shortcut="/"
          placeholder="Search users by id"
          value={text}
          onChange={setText}
          className={styles.search}
        />
        <output className={styles.count}>
          {total === undefined ? '' : `${formatExact(total)} ${nounOf(total, 'users')}`}
        </output>
        {isNarrow && <SortMenu columns={USER_COLUMNS} sort={sort} />}
      </div>
      <div className={styles.rows}>
        <ProgressLine isActive={shown !== wanted} label="Loading users" />
        <ErrorBoundary
          fallbackTitle="The users could not be loaded"
          resetKey={JSON.stringify(shown)}
          missing={<MissingProject />}
        >
          <Suspense fallback={<EmptyFrame {...frame} />}>
            <UsersTable {...frame} fetch={shown} onTotal={setTotal} onClearSearch={clear} />
          </Suspense>
        </ErrorBoundary>
      </div>
    </section>
  );
}

/** The text of the field, which the address follows when typing rests; another address fills the field. */
function useSearchText(applied: string, onSettle: (text: string) => void) {
  const [text, setText] = useState(applied);
  const [known, setKnown] = useState(applied);
  if (known !== applied) {
    setKnown(applied);
    if (text.trim() !== applied) setText(applied);
  }
  const settle = useEffectEvent(() => {
    if (text.trim() !== applied) onSettle(text.trim());
  });
  useEffect(() => {
    const timer = setTimeout(() => settle(), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText] as const;
}

function EmptyFrame(frame: UsersTableFrame) {
  return (
    <DataTable
      {...frame}
      label="Users"
      columns={USER_COLUMNS}
      rows={[]}
      useRow={neverRead}
      renderCard={renderUserCard}
      sort={MOST_EXPENSIVE_FIRST}
      onSort={() => undefined}
      onOpen={() => undefined}
      isLoading
    />
  );
}

function neverRead(): never {
  throw new Error('A table without rows has none to read.');
}
