import { FolderPlus, LayoutGrid, Plus, Table } from 'lucide-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { startTransition, Suspense, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Select } from '#ui/components/select.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useStored } from '#ui/lib/storage.ts';
import { writeSort } from '#ui/components/data-table/table-column.ts';
import { readTimeRange, type TimeRange, writeTimeRange } from '#ui/lib/time-range.ts';
import { useMay } from '#ui/lib/viewer.ts';
import { rememberedRange, rememberRange } from '../project/remembered.ts';
import { TimeRangePicker } from '../project/time-range-picker.tsx';
import { NewProjectDialog } from './new-project-dialog.tsx';
import { ProjectList, ProjectListPlace } from './project-list.tsx';
import {
  lookChoice,
  nextProjectsSort,
  PROJECT_COLUMNS,
  PROJECT_HEADERS,
  type ProjectColumn,
  type ProjectsLook,
  type ProjectsSort,
  readProjectsSort,
  sortChoice,
} from './projects-view.ts';
import styles from './projects-page.module.css';

/** A list that nobody leaves is read again this often. */
const REFRESH_MS = 60_000;

/** All projects. */
export function ProjectsPage() {
  const look = useStored(lookChoice);
  const { sort: sortText, range: key, start, end } = useSearch({ from: '/projects' });
  const storedSort = useStored(sortChoice);
  const chosenSort = sortText ?? storedSort;
  const sort = readProjectsSort(chosenSort);
  // What is shown stays until it is there in the other order.
  const shownSort = useDeferredValue(chosenSort);
  const range = useMemo(() => readTimeRange({ range: key, start, end }) ?? rememberedRange(), [key, start, end]);
  const [text, setText] = useState('');
  const [resolvedAtMs, setResolvedAtMs] = useState(wholeMinuteMs);
  const [changeCount, setChangeCount] = useState(0);
  const [isCreating, setIsCreating] = useState(false);
  const search = useDeferredValue(text.trim());
  const navigate = useNavigate();
  const mayCreate = useMay('write');
  useShortcuts('Projects', mayCreate ? [{ keys: 'c', label: 'New project', run: () => setIsCreating(true) }] : []);
  function setRange(next: TimeRange): void {
    rememberRange(next);
    void navigate({ to: '.', search: (before) => ({ ...before, ...writeTimeRange(next) }) });
  }
  function setSort(next: ProjectsSort): void {
    sortChoice.set(writeSort(next));
    void navigate({ to: '.', search: (before) => ({ ...before, sort: writeSort(next) }), replace: true });
  }
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setResolvedAtMs(wholeMinuteMs()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={styles.page}>
      <PageHeader
        title="Projects"
        actions={
          mayCreate ? (
            <Button variant="primary" icon={Plus} shortcut="c" onPress={() => setIsCreating(true)}>
              New project
            </Button>
          ) : undefined
        }
      />
      <div className={styles.toolbar}>
        <SearchField
          label="Search projects by name"
          placeholder="Search projects"
          value={text}
          onChange={setText}
          className={styles.search}
        />
        <span className={styles.spring} />
        <TimeRangePicker range={range} onChange={setRange} scope="Projects" />
        {look === 'grid' && (
          <Select<ProjectColumn>
            label="Order"
            isLabelHidden
            items={PROJECT_COLUMNS.map((id) => ({ id, label: PROJECT_HEADERS[id] }))}
            selectedKey={sort.column}
            onSelectionChange={(column) => column !== sort.column && setSort(nextProjectsSort(sort, column))}
          />
        )}
        <SegmentedControl<ProjectsLook>
          label="Layout"
          isIconOnly
          items={[
            { id: 'grid', label: 'Cards', icon: LayoutGrid },
            { id: 'table', label: 'Table', icon: Table },
          ]}
          selectedKey={look}
          onSelectionChange={lookChoice.set}
        />
      </div>
      <div className={styles.scroller}>
        <ErrorBoundary fallbackTitle="The projects could not be loaded">
          <Suspense fallback={<ProjectListPlace look={look} />}>
            <ProjectList
              look={look}
              sort={readProjectsSort(shownSort)}
              onSort={setSort}
              search={search}
              range={range}
              resolvedAtMs={resolvedAtMs}
              changeCount={changeCount}
              onChange={() => startTransition(() => setChangeCount((count) => count + 1))}
              emptyAction={
                mayCreate ? (
                  <Button variant="primary" icon={FolderPlus} onPress={() => setIsCreating(true)}>
                    New project
                  </Button>
                ) : undefined
              }
            />
          </Suspense>
        </ErrorBoundary>
      </div>
      <NewProjectDialog
        isOpen={isCreating}
        onOpenChange={setIsCreating}
        onCreated={(projectId) => void navigate({ to: '/projects/$projectId', params: { projectId } })}
      />
    </div>
  );
}

/** The time in whole minutes, so that the page finds what it read a moment ago. */
function wholeMinuteMs(): number {
  return Math.floor(Date.now() / REFRESH_MS) * REFRESH_MS;
}
