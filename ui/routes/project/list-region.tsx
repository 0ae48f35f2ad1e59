import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, Suspense, useDeferredValue, useMemo } from 'react';
import { type TableColumn, writeSort } from '#ui/components/data-table/table-column.ts';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { callOff } from '#ui/lib/relay-environment.ts';
import { writeTimeRange } from '#ui/lib/time-range.ts';
import { FailedList } from './failed-list.tsx';
import { useListContext } from './list-context.ts';
import { ListTableFrame } from './list-table.tsx';
import { MissingProject } from './missing-project.tsx';
import { useProjectView } from './project-view.ts';
import { StopButton } from './stop-button.tsx';
import type { ListFetch } from './use-list-page.tsx';

interface ListRegionProps<Row> {
  readonly title: string;
  /** Name of the query that reads the rows. */
  readonly query: string;
  readonly columns: readonly TableColumn<Row>[];
  /** What else decides which rows there are. */
  readonly choice?: string | undefined;
  readonly children: (fetch: ListFetch) => ReactNode;
}

/**
 * The place of a table. What was read stays on the screen while other rows are being read; a failure stands inside the
 * table, with a way to try again.
 */
export function ListRegion<Row>({ title, query, columns, choice, children }: ListRegionProps<Row>) {
  const { projectId, range, timeRange, refreshCount } = useProjectView();
  const { sort, filter } = useListContext();
  const { column, direction } = sort;
  const wanted = useMemo(
    (): ListFetch => ({ projectId, range, timeRange, sort: { column, direction }, filter, refreshCount }),
    [projectId, range, timeRange, column, direction, filter, refreshCount],
  );
  const shown = useDeferredValue(wanted);
  const navigate = useNavigate();
  function goBack(): void {
    const search = { ...writeTimeRange(shown.range), sort: writeSort(shown.sort), filter: shown.filter ?? undefined };
    void navigate({ to: '.', search: (before) => ({ ...before, ...search }), replace: true });
    callOff(query);
  }
  return (
    <>
      <ProgressLine isActive={shown !== wanted} label="Loading rows" />
      {shown !== wanted && <StopButton onPress={goBack} />}
      <ErrorBoundary
        fallbackTitle={title}
        resetKey={`${choice} ${JSON.stringify(shown)}`}
        missing={<MissingProject />}
        renderFailure={(error, retry) => (
          <ListTableFrame columns={columns}>
            <FailedList title={title} error={error} onRetry={retry} />
          </ListTableFrame>
        )}
      >
        <Suspense
          fallback={
            <>
              <StopButton onPress={() => callOff(query)} />
              <ListTableFrame columns={columns} />
            </>
          }
        >
          {children(shown)}
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
