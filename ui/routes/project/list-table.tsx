import { ArrowUp, CalendarSearch } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import { type CSSProperties, type ReactNode, useImperativeHandle, useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { DataTable, type DataTableHandle, type RowRef } from '#ui/components/data-table/data-table.tsx';
import { nextSort, readSort, type Sort, type TableColumn, writeSort } from '#ui/components/data-table/table-column.ts';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { widenTimeRange } from '#ui/lib/time-range.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useListContext } from './list-context.ts';
import styles from './project.module.css';
import { useProjectView } from './project-view.ts';
import { type LiveSource, useLiveRows } from './use-live-rows.ts';

interface ListTableProps<TRef extends RowRef, Row> extends LiveSource {
  readonly rows: readonly TRef[];
  /** Hexadecimal; undefined where a row stands for several traces. */
  readonly traceIdOf: (ref: TRef) => string | undefined;
  readonly columns: readonly TableColumn<Row>[];
  readonly useRow: (ref: TRef) => Row;
  readonly renderCard: (row: Row) => ReactNode;
  readonly hasNext: boolean;
  readonly loadNext: (onDone: (error: Error | null) => void) => void;
  readonly openId: string | undefined;
  readonly onOpen: (ref: TRef) => void;
  /** The duration that fills the place of a bar. */
  readonly scaleMs: number;
}

/** A table of a project with rows: it loads on, follows what arrives, and opens what is pressed. */
export function ListTable<TRef extends RowRef, Row>(props: ListTableProps<TRef, Row>) {
  const { rows, hasNext, openId, columns } = props;
  const { name, label, sort, layout, setLayout, density, handle } = useListContext();
  const { timeRange } = useProjectView();
  const areCards = useMediaQuery(NARROW);
  const onSort = useSort(sort);
  const table = useRef<DataTableHandle>(null);
  const sight = useRef({ first: 0, last: 0 });
  const [failure, setFailure] = useState<Error | null>(null);
  const isLoading = useRef(false);

  const live = useLiveRows({
    ...props,
    readRowKeys: () => rows.map((ref) => ({ key: ref.id, traceId: props.traceIdOf(ref) })),
    isAtTop: () => table.current?.isAtTop() ?? true,
    sight: () => sight.current,
    listKey: `${name} ${writeSort(sort)} ${JSON.stringify(timeRange)}`,
  });

  function loadNext(): void {
    if (isLoading.current || !hasNext) return;
    isLoading.current = true;
    setFailure(null);
    props.loadNext((error) => {
      isLoading.current = false;
      setFailure(error);
    });
  }

  useImperativeHandle(handle, () => ({
    step: (delta) => table.current?.step(delta),
    focusRow: () => table.current?.focusRow(openId),
  }));

  const isEmpty = rows.length === 0;
  return (
    <>
      {live.newCount > 0 && (
        <Button
          size="sm"
          variant="primary"
          icon={ArrowUp}
          className={styles.newRows}
          onPress={() => {
            table.current?.scrollToTop();
            live.takeIn();
          }}
        >
          {live.newCount >= 100 ? '99+' : live.newCount} new
        </Button>
      )}
      <DataTable
        ref={table}
        label={label}
        columns={columns}
        layout={layout}
        onLayoutChange={setLayout}
        density={density}
        areCards={areCards}
        rows={rows}
        useRow={props.useRow}
        renderCard={props.renderCard}
        sort={sort}
        onSort={onSort}
        openId={openId}
        onOpen={(id) => {
          const row = rows.find((candidate) => candidate.id === id);
          if (row !== undefined) props.onOpen(row);
        }}
        hasNext={hasNext && failure === null}
        onNearEnd={failure === null ? loadNext : undefined}
        onSight={(seen) => {
          sight.current = seen;
          if (live.newCount > 0 && table.current?.isAtTop() === true) live.takeIn();
        }}
        style={{ '--scale-ms': props.scaleMs } as CSSProperties}
      >
        {isEmpty ? <EmptyRange /> : undefined}
      </DataTable>
      {failure !== null && (
        <div role="alert" className={styles.failedPage}>
          More rows could not be loaded.
          <Button size="sm" onPress={loadNext}>
            Try again
          </Button>
        </div>
      )}
    </>
  );
}

/** The same table before its rows are there, or in place of them. */
export function ListTableFrame<Row>(props: {
  readonly columns: readonly TableColumn<Row>[];
  readonly children?: ReactNode;
}) {
  const { label, sort, layout, setLayout, density } = useListContext();
  const areCards = useMediaQuery(NARROW);
  const onSort = useSort(sort);
  return (
    <DataTable
      label={label}
      columns={props.columns}
      layout={layout}
      onLayoutChange={setLayout}
      density={density}
      areCards={areCards}
      rows={[]}
      useRow={neverRead}
      renderCard={neverRead}
      sort={sort}
      onSort={onSort}
      onOpen={() => undefined}
      isLoading={props.children === undefined}
    >
      {props.children}
    </DataTable>
  );
}

function EmptyRange() {
  const { range, setRange } = useProjectView();
  const { noun } = useListContext();
  const zone = useTimeZone();
  const wider = widenTimeRange(range);
  if (wider === undefined)
    return (
      <EmptyState
        icon={CalendarSearch}
        title={`No ${noun} yet`}
      >{`They appear here as soon as they arrive.`}</EmptyState>
    );
  return (
    <EmptyState
      icon={CalendarSearch}
      title={`No ${noun} in this time`}
      action={
        <Button variant="primary" onPress={() => setRange(wider)}>
          Show {formatTimeRange(wider, zone).replace(/^[A-Z]/, (letter) => letter.toLowerCase())}
        </Button>
      }
    >
      {formatTimeRange(range, zone)} holds none. A wider range may.
    </EmptyState>
  );
}

function useSort(sort: Sort): (column: string) => void {
  const navigate = useNavigate();
  return (column) =>
    void navigate({
      to: '.',
      search: (before) => {
        // The address may be ahead of what is drawn.
        const latest = readSort(before.sort, [column], sort);
        return { ...before, sort: writeSort(nextSort(latest, column)) };
      },
      replace: true,
    });
}

function neverRead(): never {
  throw new Error('A table without rows reads none.');
}
