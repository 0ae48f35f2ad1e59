import { type ReactNode, Suspense, useDeferredValue, useMemo } from 'react';
import type { Sort, TableColumn } from '#ui/components/data-table/table-column.ts';
import { ErrorBoundary } from '#ui/components/error-boundary.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import type { ResolvedTimeRange } from '#ui/lib/time-range.ts';
import { useListContext } from './list-context.ts';
import { ListTableFrame } from './list-table.tsx';
import { MissingProject } from './missing-project.tsx';
import { useProjectView } from './project-view.ts';

/** What a table is to read. */
export interface ListFetch {
  readonly projectId: string;
  readonly timeRange: ResolvedTimeRange;
  readonly sort: Sort;
  /** Another one asks the server again. */
  readonly refreshCount: number;
}

interface ListRegionProps<Row> {
  readonly title: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly children: (fetch: ListFetch) => ReactNode;
}

/**
 * The place of a table. What was read stays on the screen while other rows are being read; a failure stands inside the
 * table, with a way to try again.
 */
export function ListRegion<Row>({ title, columns, children }: ListRegionProps<Row>) {
  const { projectId, timeRange, refreshCount } = useProjectView();
  const { column, direction } = useListContext().sort;
  const wanted = useMemo(
    (): ListFetch => ({ projectId, timeRange, sort: { column, direction }, refreshCount }),
    [projectId, timeRange, column, direction, refreshCount],
  );
  const shown = useDeferredValue(wanted);
  return (
    <>
      <ProgressLine isActive={shown !== wanted} label="Loading rows" />
      <ErrorBoundary
        fallbackTitle={title}
        resetKey={`${projectId} ${JSON.stringify(timeRange)} ${column} ${direction} ${refreshCount}`}
        missing={<MissingProject />}
        wrapFailure={(failure) => <ListTableFrame columns={columns}>{failure}</ListTableFrame>}
      >
        <Suspense fallback={<ListTableFrame columns={columns} />}>{children(shown)}</Suspense>
      </ErrorBoundary>
    </>
  );
}
