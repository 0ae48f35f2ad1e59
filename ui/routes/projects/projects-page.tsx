import { FolderPlus, LayoutGrid, Plus, Table } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { startTransition, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { PageHeader } from '#ui/components/page-header.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Select } from '#ui/components/select.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useStored } from '#ui/lib/storage.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { rememberedRange } from '../project/remembered.ts';
import { NewProjectDialog } from './new-project-dialog.tsx';
import { ProjectList, ProjectListPlace } from './project-list.tsx';
import { lookChoice, orderChoice, type ProjectsLook, type ProjectsOrder } from './projects-view.ts';
import styles from './projects-page.module.css';

/** A list that nobody leaves is read again this often. */
const REFRESH_MS = 60_000;

/** All projects. */
export function ProjectsPage() {
  const look = useStored(lookChoice);
  const order = useStored(orderChoice);
  const [text, setText] = useState('');
  const [resolvedAtMs, setResolvedAtMs] = useState(wholeMinuteMs);
  const [changeCount, setChangeCount] = useState(0);
  const [isCreating, setIsCreating] = useState(false);
  const search = useDeferredValue(text.trim());
  const navigate = useNavigate();
  useShortcuts('Projects', [{ keys: 'c', label: 'New project', run: () => setIsCreating(true) }]);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setResolvedAtMs(wholeMinuteMs()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={styles.page}>
      <PageHeader
        title="Projects"
        actions={
          <Button variant="primary" icon={Plus} shortcut="c" onPress={() => setIsCreating(true)}>
            New project
          </Button>
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
        <span className={styles.range} title="The figures of all projects cover the time range that you selected last">
          {formatTimeRange(rememberedRange(), useTimeZone())}
        </span>
        <Select<ProjectsOrder>
          label="Order"
          isLabelHidden
          items={[
            { id: 'endTime', label: 'Last activity' },
            { id: 'name', label: 'Name' },
          ]}
          selectedKey={order}
          onSelectionChange={orderChoice.set}
        />
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
              order={order}
              search={search}
              resolvedAtMs={resolvedAtMs}
              changeCount={changeCount}
              onChange={() => startTransition(() => setChangeCount((count) => count + 1))}
              emptyAction={
                <Button variant="primary" icon={FolderPlus} onPress={() => setIsCreating(true)}>
                  New project
                </Button>
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
