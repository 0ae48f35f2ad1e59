import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type ColumnLayout, type ColumnSpec, moveColumn, resizeColumn, stepColumn } from '#ui/lib/columns.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import styles from './data-table.module.css';
import { dropIndex, type Extent } from './drag-order.ts';
import { type Sort, sizeOf, type TableColumn } from './table-column.ts';

interface HeaderRowProps<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly specs: readonly ColumnSpec[];
  readonly layout: ColumnLayout;
  readonly onLayoutChange: (layout: ColumnLayout) => void;
  readonly sort: Sort;
  readonly onSort: (column: string) => void;
  /** Kept for screen readers only. */
  readonly isHidden: boolean;
  /** A cell before those of the columns. */
  readonly first?: ReactNode;
}

const RESIZE_STEP = 16;
const DRAG_THRESHOLD = 6;

/**
 * The names of the columns. One stop of the tab key: arrows lead from column to column, Enter sorts, Shift with an arrow
 * moves the column, Alt with an arrow makes it narrower or wider. The pointer drags names and edges.
 */
export function HeaderRow<Row>(props: HeaderRowProps<Row>) {
  const { columns, layout, onLayoutChange, sort, onSort } = props;
  const [activeId, setActiveId] = useState<string>();
  const [drag, setDrag] = useState<{ readonly id: string; readonly offset: number }>();
  const row = useRef<HTMLTableRowElement>(null);
  // The click that ends a drag is none.
  const hasDragged = useRef(false);
  const active = columns.find(({ id }) => id === activeId) ?? columns[0];

  function focus(index: number): void {
    const column = columns[Math.min(Math.max(index, 0), columns.length - 1)];
    if (column !== undefined) cellOf(column.id)?.focus();
  }

  function cellOf(id: string): HTMLElement | null {
    return row.current?.querySelector<HTMLElement>(`[data-column="${CSS.escape(id)}"]`) ?? null;
  }

  function resizeBy(column: TableColumn<Row>, delta: number): void {
    const size = cellOf(column.id)?.offsetWidth ?? sizeOf(column, layout);
    onLayoutChange(resizeColumn(layout, props.specs, column.id, size + delta));
  }

  useShortcuts('Table headers', props.isHidden ? NO_KEYS : KEYS);
  function onKeyDown(event: KeyboardEvent<HTMLElement>, column: TableColumn<Row>, index: number): void {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : undefined;
    if ((event.key === 'Enter' || event.key === ' ') && column.isSortable === true) onSort(column.id);
    else if (event.key === 'Home') focus(0);
    else if (event.key === 'End') focus(columns.length - 1);
    else if (step === undefined) return;
    else if (event.altKey) resizeBy(column, step * RESIZE_STEP);
    else if (event.shiftKey) {
      // An element that moves in the document loses the keyboard.
      flushSync(() => onLayoutChange(stepColumn(layout, column.id, step)));
      cellOf(column.id)?.focus();
    } else focus(index + step);
    event.preventDefault();
  }

  function extents(): Extent[] {
    return columns.map(({ id }) => {
      const cell = cellOf(id);
      return { id, start: cell?.offsetLeft ?? 0, size: cell?.offsetWidth ?? 0 };
    });
  }

  function startDrag(event: PointerEvent<HTMLElement>, id: string): void {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const { clientX: from } = event;
    const before = extents();
    const left = row.current?.getBoundingClientRect().left ?? 0;
    let hasMoved = false;
    hasDragged.current = false;
    follow(event, {
      onMove: (clientX) => {
        hasMoved ||= Math.abs(clientX - from) > DRAG_THRESHOLD;
        if (hasMoved) setDrag({ id, offset: clientX - from });
      },
      onEnd: (clientX) => {
        setDrag(undefined);
        if (!hasMoved || clientX === undefined) return;
        hasDragged.current = true;
        const others = columns.filter((column) => column.id !== id);
        const index = dropIndex(before, id, clientX - left);
        // The place among the visible columns, as a place in the whole order.
        const next = others[index];
        const order = layout.order.filter((other) => other !== id);
        onLayoutChange(moveColumn(layout, id, next === undefined ? order.length : order.indexOf(next.id)));
      },
    });
  }

  function startResize(event: PointerEvent<HTMLElement>, column: TableColumn<Row>): void {
    const { clientX: from } = event;
    const size = cellOf(column.id)?.offsetWidth ?? sizeOf(column, layout);
    follow(event, {
      onMove: (clientX) => onLayoutChange(resizeColumn(layout, props.specs, column.id, size + clientX - from)),
      onEnd: () => {
        hasDragged.current = true;
      },
    });
  }

  return (
    <thead className={styles.head} data-hidden={props.isHidden}>
      <tr ref={row} aria-rowindex={1} className={styles.headRow}>
        {props.first}
        {columns.map((column, index) => (
          <th
            key={column.id}
            scope="col"
            aria-colindex={index + 1}
            aria-sort={ariaSort(column, sort)}
            aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight Alt+ArrowLeft Alt+ArrowRight"
            title={column.description}
            tabIndex={column === active && !props.isHidden ? 0 : -1}
            data-column={column.id}
            data-align={column.align}
            data-sortable={column.isSortable}
            data-dragged={drag?.id === column.id}
            className={styles.headCell}
            style={drag?.id === column.id ? { transform: `translateX(${drag.offset}px)` } : undefined}
            onFocus={() => setActiveId(column.id)}
            onKeyDown={(event) => onKeyDown(event, column, index)}
            onPointerDown={(event) => (isEdge(event) ? startResize(event, column) : startDrag(event, column.id))}
            onDoubleClick={(event) => isEdge(event) && onLayoutChange(withoutSize(layout, column.id))}
            onClick={(event) => {
              if (column.isSortable === true && !hasDragged.current && !isEdge(event)) onSort(column.id);
            }}
          >
            <span className={styles.headLabel}>{column.header}</span>
            {column.isSortable === true && <SortMark isSorted={sort.column === column.id} direction={sort.direction} />}
            <span aria-hidden="true" data-edge className={styles.edge} />
          </th>
        ))}
      </tr>
    </thead>
  );
}

function SortMark({ isSorted, direction }: { readonly isSorted: boolean; readonly direction: Sort['direction'] }) {
  const Icon = isSorted && direction === 'asc' ? ArrowUp : ArrowDown;
  return <Icon aria-hidden="true" size={12} className={styles.sortMark} data-sorted={isSorted} />;
}

/** Whether the pointer is on the edge of a column, by which it is made wider. */
function isEdge({ target }: { readonly target: EventTarget }): boolean {
  return target instanceof HTMLElement && target.dataset['edge'] !== undefined;
}

function ariaSort(column: { readonly id: string; readonly isSortable?: boolean | undefined }, sort: Sort) {
  if (column.isSortable !== true) return undefined;
  if (sort.column !== column.id) return 'none';
  return sort.direction === 'asc' ? 'ascending' : 'descending';
}

function withoutSize(layout: ColumnLayout, id: string): ColumnLayout {
  const { [id]: _, ...sizes } = layout.sizes;
  return { ...layout, sizes };
}

/** Follows a pointer from where it went down to where it is let go; `onEnd` gets undefined where it was taken away. */
function follow(
  event: PointerEvent<HTMLElement>,
  {
    onMove,
    onEnd,
  }: { readonly onMove: (clientX: number) => void; readonly onEnd: (clientX: number | undefined) => void },
): void {
  const target = event.currentTarget;
  const listening = new AbortController();
  const { signal } = listening;
  target.setPointerCapture(event.pointerId);
  const end = (clientX: number | undefined) => {
    listening.abort();
    onEnd(clientX);
  };
  target.addEventListener('pointermove', (move) => onMove((move as globalThis.PointerEvent).clientX), { signal });
  target.addEventListener('pointerup', (up) => end((up as globalThis.PointerEvent).clientX), { signal });
  target.addEventListener('pointercancel', () => end(undefined), { signal });
}

const NO_KEYS: readonly Shortcut[] = [];

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowLeft ArrowRight', label: 'Previous or next column' },
  { keys: 'Enter', label: 'Sort by the column' },
  { keys: 'Alt+ArrowLeft ArrowRight', label: 'Narrow or widen the column' },
  { keys: 'Shift+ArrowLeft ArrowRight', label: 'Move the column' },
];
