import { useVirtualizer, defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ColumnLayout } from '#ui/lib/columns.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { DataRow } from './data-row.tsx';
import styles from './data-table.module.css';
import { HeaderRow } from './header-row.tsx';
import { rowAfterKey } from './row-keys.ts';
import { LoadingRow } from './loading-row.tsx';
import {
  type Density,
  gridTemplate,
  minimumWidth,
  ROW_HEIGHTS,
  type Sort,
  type TableColumn,
  visibleColumns,
} from './table-column.ts';

/** A row that is read where it is shown. */
export interface RowRef {
  readonly id: string;
}

/** What a page may ask of its table. */
export interface DataTableHandle {
  /** Moves the row that has the keyboard, and opens it where a row is open. */
  step(delta: -1 | 1): void;
  /** Gives the keyboard to a row, or to the first where there is none of this id. */
  focusRow(id: string | undefined): void;
  scrollToTop(): void;
  /** Whether the first row is in full sight. */
  isAtTop(): boolean;
}

export interface DataTableProps<TRef extends RowRef, Row> {
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  readonly layout: ColumnLayout;
  readonly onLayoutChange: (layout: ColumnLayout) => void;
  readonly density: Density;
  /** Rows as cards: narrow screens have no room for columns. */
  readonly areCards: boolean;
  readonly rows: readonly TRef[];
  /** A hook that reads a row. */
  readonly useRow: (ref: TRef) => Row;
  readonly renderCard: (row: Row) => ReactNode;
  readonly sort: Sort;
  readonly onSort: (column: string) => void;
  /** The row that is shown beside the table. */
  readonly openId?: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly hasNext?: boolean | undefined;
  /** Called when the end of the loaded rows comes near, again and again until more are there. */
  readonly onNearEnd?: (() => void) | undefined;
  readonly onSight?: ((sight: { readonly first: number; readonly last: number }) => void) | undefined;
  readonly isLoading?: boolean | undefined;
  /** Custom properties that cells compute with. */
  readonly style?: CSSProperties | undefined;
  readonly ref?: Ref<DataTableHandle> | undefined;
  /** Stands where rows would: emptiness, or an error. */
  readonly children?: ReactNode;
}

const HEADER_HEIGHT = 34;
const OVERSCAN = 12;
const PREFETCH_ROWS = 40;
const LOADING_ROWS = 3;
const ASK_AGAIN_MS = 300;

/** A grid of rows of which only those in sight are in the document. */
export function DataTable<TRef extends RowRef, Row>(props: DataTableProps<TRef, Row>) {
  const { columns, layout, rows, openId, hasNext = false, isLoading = false, areCards } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string>();
  const focusWanted = useRef(false);
  const visible = useMemo(() => visibleColumns(columns, layout), [columns, layout]);
  const headerHeight = areCards ? 0 : HEADER_HEIGHT;
  const rowHeight = areCards ? ROW_HEIGHTS.card : ROW_HEIGHTS[props.density];
  const indexById = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows]);
  const activeIndex = indexById.get(activeId ?? '') ?? indexById.get(openId ?? '') ?? 0;

  // Another function makes the virtualizer measure every row again.
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  // oxlint-disable-next-line react/incompatible-library -- Nothing here is memoised by a compiler.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan: OVERSCAN,
    scrollPaddingEnd: headerHeight,
    // The row that has the keyboard stays in the document, or the keyboard would be lost by scrolling.
    rangeExtractor: (range) => withIndex(defaultRangeExtractor(range), activeIndex, range),
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
  const onNearEnd = useEffectEvent(() => props.onNearEnd?.());
  const isNearEnd = hasNext && rows.length > 0 && endIndex >= rows.length - PREFETCH_ROWS;
  useEffect(() => {
    if (!isNearEnd) return undefined;
    onNearEnd();
    // The loader may have been busy, and at the very end no scrolling asks again.
    const timer = setInterval(() => onNearEnd(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isNearEnd, rows.length]);
  const onSight = useEffectEvent(() => props.onSight?.({ first: startIndex, last: endIndex }));
  useEffect(() => onSight(), [startIndex, endIndex]);

  function moveTo(index: number): void {
    const target = rows[index];
    if (target === undefined) return;
    giveKeyboard(index);
    if (openId !== undefined && openId !== target.id) props.onOpen(target.id);
  }

  function giveKeyboard(index: number): void {
    if (rows[index] === undefined) return;
    setActiveId(rows[index].id);
    virtualizer.scrollToIndex(index, { align: 'auto' });
    // Where the row is the active one already, no rendering follows that would do it.
    focusWanted.current = !focusRow(index);
  }

  /** Whether the row has the focus now: it may not be in the document, or be hidden with all of the table. */
  function focusRow(index: number): boolean {
    const row = scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`);
    row?.focus({ preventScroll: true });
    return row != null && row === document.activeElement;
  }

  // The row may enter the document only with the rendering that follows.
  useLayoutEffect(() => {
    if (focusWanted.current && focusRow(activeIndex)) focusWanted.current = false;
  });

  useImperativeHandle(props.ref, () => ({
    step: (delta) => {
      const isNowhere = !indexById.has(activeId ?? '') && !indexById.has(openId ?? '');
      const next = isNowhere ? 0 : activeIndex + delta;
      // At an end the row there takes the keyboard again, from wherever it went.
      moveTo(Math.min(Math.max(next, 0), rows.length - 1));
    },
    focusRow: (id) => giveKeyboard(indexById.get(id ?? '') ?? 0),
    scrollToTop: () => scroller.current?.scrollTo({ top: 0 }),
    isAtTop: () => (scroller.current?.scrollTop ?? 0) < rowHeight / 2,
  }));

  useShortcuts('Table', KEYS);
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (!(event.target instanceof HTMLTableRowElement)) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const active = rows[activeIndex];
    if (event.key === 'Enter' && active !== undefined) props.onOpen(active.id);
    else {
      const pageSize = Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2;
      const target = rowAfterKey(event.key, activeIndex, rows.length, pageSize);
      if (target === undefined) return;
      moveTo(target);
    }
    event.preventDefault();
  }

  function onClick(event: MouseEvent<HTMLElement>): void {
    if (!(event.target instanceof Element) || event.target.closest('a, button') !== null) return;
    const id = idOf(event.target);
    // Marking text with the pointer ends in a click too.
    if (id === undefined || document.getSelection()?.type === 'Range') return;
    setActiveId(id);
    props.onOpen(id);
  }

  const style = {
    ...props.style,
    '--table-columns': gridTemplate(visible, layout),
    '--table-width': areCards ? '0px' : `${minimumWidth(visible, layout)}px`,
    '--table-row-height': `${rowHeight}px`,
    '--table-header-height': `${headerHeight}px`,
  } as CSSProperties;

  return (
    <div ref={scroller} className={styles.scroller} data-density={areCards ? 'card' : props.density} style={style}>
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- Keys move among its rows.
        role="grid"
        tabIndex={-1}
        aria-label={props.label}
        aria-rowcount={hasNext ? -1 : rows.length + 1}
        aria-colcount={areCards ? 1 : visible.length}
        aria-busy={isLoading}
        className={styles.table}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={({ target }) => setActiveId(idOf(target) ?? activeId)}
      >
        <HeaderRow
          columns={visible}
          layout={layout}
          isHidden={areCards}
          sort={props.sort}
          onSort={props.onSort}
          specs={columns}
          onLayoutChange={props.onLayoutChange}
        />
        <tbody className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index];
            if (row === undefined) return null;
            return (
              <DataRow
                key={row.id}
                row={row}
                useRow={props.useRow}
                columns={visible}
                renderCard={areCards ? props.renderCard : undefined}
                index={item.index}
                top={item.start}
                isActive={item.index === activeIndex}
                isOpen={row.id === openId}
              />
            );
          })}
        </tbody>
      </table>
      {(isLoading || hasNext) && (
        <div aria-hidden="true">
          {Array.from({ length: isLoading ? 14 : LOADING_ROWS }, (_, index) => (
            <LoadingRow key={index} index={index} columns={visible} isCard={areCards} />
          ))}
        </div>
      )}
      {props.children !== undefined && <div className={styles.placeholder}>{props.children}</div>}
    </div>
  );
}

function idOf(target: Element): string | undefined {
  return target.closest<HTMLElement>('tr[data-id]')?.dataset['id'];
}

function withIndex(indexes: number[], index: number, range: Range): number[] {
  if (indexes.includes(index) || index < 0 || index >= range.count) return indexes;
  return [...indexes, index].toSorted((a, b) => a - b);
}

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowUp ArrowDown', label: 'Previous or next row' },
  { keys: 'PageUp PageDown', label: 'Page up or down' },
  { keys: 'Home End', label: 'First or last row' },
  { keys: 'Enter', label: 'Open the row' },
];
