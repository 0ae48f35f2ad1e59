import { ArrowUp } from 'lucide-react';
import { type CSSProperties, type ReactNode, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { DataTable, type DataTableHandle, type RowRef } from '#ui/components/data-table/data-table.tsx';
import { type TableColumn, writeSort } from '#ui/components/data-table/table-column.ts';
import { describeError } from '#ui/lib/describe-error.ts';
import { objectionOf } from '#ui/lib/server-error.ts';
import { durationScale } from './duration-scale.ts';
import { EmptyList } from './empty-list.tsx';
import { useListContext } from './list-context.ts';
import { LookFurther } from './look-further.tsx';
import styles from './project.module.css';
import { useProjectView } from './project-view.ts';
import type { ListPage } from './use-list-page.tsx';
import { useLiveRows } from './use-live-rows.ts';
import { useSort } from './use-sort.ts';
import { WholeTextArea } from './whole-text/whole-text-area.tsx';

interface ListTableProps<TRef extends RowRef, Row> {
  readonly page: ListPage<TRef>;
  /** Hexadecimal; undefined where a row stands for several traces. */
  readonly traceIdOf: (ref: TRef) => string | undefined;
  readonly columns: readonly TableColumn<Row>[];
  readonly useRow: (ref: TRef) => Row;
  readonly renderCard: (row: Row) => ReactNode;
  /** What a row is called where its checkbox is read out. */
  readonly nameOf: (row: Row) => string;
  readonly openId: string | undefined;
  readonly onOpen: (ref: TRef) => void;
  readonly durationOf: (ref: TRef) => number | null | undefined;
  /** Whether the newest rows stand first, so that what is not loaded among them is new. */
  readonly isNewestFirst: boolean;
}

/** A table of a project with rows: it loads on, follows what arrives, and opens what is pressed. */
export function ListTable<TRef extends RowRef, Row>(props: ListTableProps<TRef, Row>) {
  const { page, openId, columns, nameOf } = props;
  const { rows, hasNext, look } = page;
  const { name, label, sort, filter, layout, setLayout, rowForm, handle, selection: store } = useListContext();
  const selection = useMemo(() => ({ store, nameOf }), [store, nameOf]);
  const { timeRange } = useProjectView();
  const onSort = useSort(sort);
  const table = useRef<DataTableHandle>(null);
  const sight = useRef({ first: 0, last: 0 });
  const [failure, setFailure] = useState<Error | null>(null);
  const isLoading = useRef(false);
  const [isLooking, setIsLooking] = useState(false);

  const live = useLiveRows({
    ...page,
    isNewestFirst: props.isNewestFirst,
    readRowKeys: () => rows.map((ref) => ({ key: ref.id, traceId: props.traceIdOf(ref) })),
    isAtTop: () => table.current?.isAtTop() ?? true,
    sight: () => sight.current,
    listKey: `${name} ${writeSort(sort)} ${filter} ${JSON.stringify(timeRange)}`,
  });

  function loadNext(): void {
    if (isLoading.current || !hasNext) return;
    isLoading.current = true;
    setFailure(null);
    setIsLooking(true);
    page.loadNext((error) => {
      isLoading.current = false;
      setIsLooking(false);
      setFailure(error);
    });
  }

  useImperativeHandle(handle, () => ({
    step: (delta) => table.current?.step(delta),
    focusRow: () => table.current?.focusRow(openId),
    toggleSelected: (isRange) => table.current?.toggleSelected(isRange),
    extendSelection: (delta) => table.current?.extendSelection(delta),
  }));

  const { listKey } = page;
  useEffect(() => {
    store.enter(
      listKey,
      rows.map(({ id }) => id),
    );
  }, [store, listKey, rows]);

  const isEmpty = rows.length === 0;
  // What takes long is looked for when somebody asks.
  const goesOn = hasNext && failure === null && look === undefined;
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
      <WholeTextArea>
        <DataTable
          ref={table}
          label={label}
          columns={columns}
          layout={layout}
          onLayoutChange={setLayout}
          rowForm={rowForm}
          rows={rows}
          useRow={props.useRow}
          renderCard={props.renderCard}
          selection={selection}
          sort={sort}
          onSort={onSort}
          openId={openId}
          onOpen={(id) => {
            const row = rows.find((candidate) => candidate.id === id);
            if (row !== undefined) props.onOpen(row);
          }}
          hasNext={goesOn}
          onNearEnd={goesOn ? loadNext : undefined}
          onSight={(seen) => {
            sight.current = seen;
            if (live.newCount > 0 && table.current?.isAtTop() === true) live.takeIn();
          }}
          style={{ '--scale-ms': durationScale(rows.map(props.durationOf)) } as CSSProperties}
        >
          {isEmpty ? <EmptyList isPartial={look !== undefined} /> : undefined}
        </DataTable>
      </WholeTextArea>
      {look !== undefined && hasNext && failure === null && (
        <LookFurther look={look} isLooking={isLooking} onLook={loadNext} />
      )}
      {failure !== null && (
        <div role="alert" className={styles.failedPage}>
          More rows could not be loaded. {describeError(failure)}
          {objectionOf(failure) !== 'refused' && (
            <Button size="sm" onPress={loadNext}>
              Try again
            </Button>
          )}
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
  const { label, sort, layout, setLayout, rowForm, selection: store } = useListContext();
  const onSort = useSort(sort);
  const selection = useMemo(() => ({ store, nameOf: neverRead }), [store]);
  return (
    <DataTable
      label={label}
      columns={props.columns}
      layout={layout}
      onLayoutChange={setLayout}
      rowForm={rowForm}
      rows={[]}
      useRow={neverRead}
      renderCard={neverRead}
      selection={selection}
      sort={sort}
      onSort={onSort}
      onOpen={() => undefined}
      isLoading={props.children === undefined}
    >
      {props.children}
    </DataTable>
  );
}

function neverRead(): never {
  throw new Error('A table without rows has none to load.');
}
