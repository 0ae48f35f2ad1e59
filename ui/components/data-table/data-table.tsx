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
import { DataRow, type RowSelection } from './data-row.tsx';
import styles from './data-table.module.css';
import { HeaderRow } from './header-row.tsx';
import { rowAfterKey } from './row-keys.ts';
import { LoadingRow } from './loading-row.tsx';
import { SelectPageCell } from './select-cell.tsx';
import { useHasSelection } from './selection-store.ts';
import {
  gridTemplate,
  minimumWidth,
  ROW_HEIGHTS,
  type RowForm,
  type Sort,
  type TableColumn,
  visibleColumns,
} from './table-column.ts';
import { useSelecting } from './use-selecting.ts';

/** A row that is read where it is shown. */
export interface RowRef {
  readonly id: string;
}

/** What a page may ask of its table. */
export interface DataTableHandle {
  /** Moves the row that has the keyboard, and opens it where a row is open. */
  step(delta: -1 | 1): void;
  /** Selects the row that has the keyboard, or takes it out; `isRange` selects up to it from the row that was selected last. */
  toggleSelected(isRange: boolean): void;
  /** Moves the keyboard by a row, and selects up to there. */
  extendSelection(delta: -1 | 1): void;
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
  readonly rowForm: RowForm;
  readonly rows: readonly TRef[];
  /** A hook that reads a row. */
  readonly useRow: (ref: TRef) => Row;
  readonly renderCard: (row: Row) => ReactNode;
  /** Absent where rows cannot be selected. */
  readonly selection?: RowSelection<Row> | undefined;
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
/** What a bar over the end of the table covers, as the style of the table leaves free for it. */
const BAR_ROOM = 72;
const SELECT_WIDTH = 34;
const OVERSCAN = 12;
const PREFETCH_ROWS = 40;
const LOADING_ROWS = 3;
const ASK_AGAIN_MS = 300;

/** A grid of rows of which only those in sight are in the document. */
export function DataTable<TRef extends RowRef, Row>(props: DataTableProps<TRef, Row>) {
  const { columns, layout, rows, openId, hasNext = false, isLoading = false, rowForm, selection } = props;
  const areCards = rowForm === 'card' || rowForm === 'pair';
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActiveId] = useState<string>();
  const focusWanted = useRef(false);
  const visible = useMemo(() => visibleColumns(columns, layout), [columns, layout]);
  const headerHeight = areCards ? 0 : HEADER_HEIGHT;
  const rowHeight = ROW_HEIGHTS[rowForm];
  const indexById = useMemo(() => new Map(rows.map(({ id }, index) => [id, index])), [rows]);
  const activeIndex = indexById.get(activeId ?? '') ?? indexById.get(openId ?? '') ?? 0;

  const hasSelection = useHasSelection(selection?.store);

  // Another function makes the virtualizer measure every row again.
  const getItemKey = useCallback((index: number) => rows[index]?.id ?? index, [rows]);
  // oxlint-disable-next-line react/incompatible-library -- Nothing here is memoised by a compiler.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey,
    overscan: OVERSCAN,
    scrollPaddingEnd: headerHeight + (hasSelection ? BAR_ROOM : 0),
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

  const selecting = useSelecting({ store: selection?.store, rows, activeIndex, giveKeyboard });

  useImperativeHandle(props.ref, () => ({
    toggleSelected: selecting.toggleActive,
    extendSelection: selecting.extend,
    step: (delta) => {
      const isNowhere = !indexById.has(activeId ?? '') && !indexById.has(openId ?? '');
      const next = isNowhere ? 0 : activeIndex + delta;
      // At an end the row there takes the keyboard again, from wherever it went.
      moveTo(Math.min(Math.max(next, 0), rows.length - 1));
    },
    focusRow: (id) => giveKeyboard(indexById.get(id ?? '') ?? activeIndex),
    scrollToTop: () => scroller.current?.scrollTo({ top: 0 }),
    isAtTop: () => (scroller.current?.scrollTop ?? 0) < rowHeight / 2,
  }));

  useShortcuts('Table', selection === undefined ? KEYS : SELECTING_KEYS);
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    // The keyboard stays with the checkbox of a row that was pressed.
    if (!(event.target instanceof HTMLTableRowElement) && !isRowBox(event.target)) return;
    if (selecting.onKey(event)) {
      event.preventDefault();
      return;
    }
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
    if (!(event.target instanceof Element)) return;
    if (isRowBox(event.target)) return selecting.select(idOf(event.target), event.shiftKey);
    if (event.target.closest('a, button, label') !== null) return;
    const id = idOf(event.target);
    // Marking text with the pointer ends in a click too.
    if (id === undefined || document.getSelection()?.type === 'Range') return;
    const isSelecting = selection !== undefined && (event.shiftKey || event.ctrlKey || event.metaKey);
    if (isSelecting) selecting.select(id, event.shiftKey);
    setActiveId(id);
    if (!isSelecting) props.onOpen(id);
  }

  const style = {
    ...props.style,
    '--table-columns': `${selection === undefined ? '' : `${SELECT_WIDTH}px `}${gridTemplate(visible, layout)}`,
    '--table-width': areCards
      ? '0px'
      : `${minimumWidth(visible, layout) + (selection === undefined ? 0 : SELECT_WIDTH)}px`,
    '--table-row-height': `${rowHeight}px`,
    '--table-header-height': `${headerHeight}px`,
  } as CSSProperties;

  return (
    <div ref={scroller} className={styles.scroller} data-form={rowForm} data-selecting={hasSelection} style={style}>
      <table
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- Keys move among its rows.
        role="grid"
        tabIndex={-1}
        aria-label={props.label}
        aria-rowcount={hasNext ? -1 : rows.length + 1}
        aria-colcount={(areCards ? 1 : visible.length) + (selection === undefined ? 0 : 1)}
        aria-multiselectable={selection === undefined ? undefined : true}
        aria-busy={isLoading}
        className={styles.table}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onMouseDown={(event) => {
          // To press with Shift selects rows; the browser would mark their text.
          if (selection !== undefined && event.shiftKey) event.preventDefault();
        }}
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
          first={
            // Nobody sees a hidden header, so the keyboard must not stop there.
            selection !== undefined &&
            !areCards && <SelectPageCell store={selection.store} rows={rows} onToggle={selecting.page} />
          }
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
                selection={selection}
              />
            );
          })}
        </tbody>
      </table>
      {(isLoading || hasNext) && (
        <div aria-hidden="true">
          {Array.from({ length: isLoading ? 14 : LOADING_ROWS }, (_, index) => (
            <LoadingRow
              key={index}
              index={index}
              columns={visible}
              isCard={areCards}
              isSelectable={selection !== undefined}
            />
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

/** Whether it is the checkbox of a row. */
function isRowBox(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type === 'checkbox' && idOf(target) !== undefined;
}

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowUp ArrowDown', label: 'Previous or next row' },
  { keys: 'PageUp PageDown', label: 'Page up or down' },
  { keys: 'Home End', label: 'First or last row' },
  { keys: 'Enter', label: 'Open the row' },
];

const SELECTING_KEYS: readonly Shortcut[] = [
  ...KEYS,
  { keys: 'Shift+ArrowUp ArrowDown', label: 'Extend the selection' },
  { keys: 'mod+A', label: 'Select all loaded rows' },
];
