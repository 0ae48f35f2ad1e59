import { Columns3, GripVertical, RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button, IconButton } from '#ui/components/button.tsx';
import { Checkbox } from '#ui/components/checkbox.tsx';
import { Popover, PopoverTrigger } from '#ui/components/popover.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { type ColumnLayout, initialLayout, isVisible, moveColumn, setColumnVisible } from '#ui/lib/columns.ts';
import styles from './column-menu.module.css';
import { dropIndex } from './drag-order.ts';
import type { Density, TableColumn } from './table-column.ts';

interface ColumnMenuProps<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly layout: ColumnLayout;
  readonly onLayoutChange: (layout: ColumnLayout) => void;
  readonly density: Density;
  readonly onDensityChange: (density: Density) => void;
  /** Takes a column away for good, of those that may be added. */
  readonly onRemove?: ((id: string) => void) | undefined;
  /** Stands below the columns: how to add some. */
  readonly children?: ReactNode;
}

/** Chooses the columns of a table, their order, and the height of its rows. */
export function ColumnMenu<Row>(props: ColumnMenuProps<Row>) {
  const { columns, layout, onLayoutChange } = props;
  return (
    <PopoverTrigger>
      <Button variant="ghost" icon={Columns3}>
        Columns
      </Button>
      <Popover label="Columns" placement="bottom end" className={styles.content}>
        <span className={styles.label} aria-hidden>
          Row height
        </span>
        <SegmentedControl<Density>
          label="Row height"
          items={[
            { id: 'compact', label: 'Compact' },
            { id: 'regular', label: 'Regular' },
            { id: 'tall', label: 'Tall' },
          ]}
          selectedKey={props.density}
          onSelectionChange={props.onDensityChange}
        />
        <ColumnList columns={columns} layout={layout} onLayoutChange={onLayoutChange} onRemove={props.onRemove} />
        {props.children}
        <div className={styles.foot}>
          <Button size="sm" variant="ghost" icon={RotateCcw} onPress={() => onLayoutChange(initialLayout(columns))}>
            Reset columns
          </Button>
        </div>
      </Popover>
    </PopoverTrigger>
  );
}

type ColumnListProps<Row> = Pick<ColumnMenuProps<Row>, 'columns' | 'layout' | 'onLayoutChange' | 'onRemove'>;

function ColumnList<Row>({ columns, layout, onLayoutChange, onRemove }: ColumnListProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const draggedId = useRef<string>(undefined);
  const byId = new Map(columns.map((column) => [column.id, column]));

  function onKeyDown(event: KeyboardEvent<HTMLElement>, id: string): void {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
    if (step === undefined) return;
    event.preventDefault();
    const grip = event.currentTarget;
    // An element that moves in the document loses the keyboard.
    flushSync(() => onLayoutChange(moveColumn(layout, id, layout.order.indexOf(id) + step)));
    grip.focus();
  }

  /** The list holds the pointer: the item that is dragged moves in the document, and would lose it. */
  function startDrag(event: PointerEvent<HTMLElement>, id: string): void {
    draggedId.current = id;
    list.current?.setPointerCapture(event.pointerId);
  }

  function drag(event: PointerEvent<HTMLElement>): void {
    const id = draggedId.current;
    if (id === undefined) return;
    const extents = [...event.currentTarget.children].map((item, index) => {
      const { top, height } = item.getBoundingClientRect();
      return { id: layout.order[index] ?? '', start: top, size: height };
    });
    const index = dropIndex(extents, id, event.clientY);
    if (index !== layout.order.indexOf(id)) onLayoutChange(moveColumn(layout, id, index));
  }

  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label="Column order"
      onPointerMove={drag}
      onLostPointerCapture={() => {
        draggedId.current = undefined;
      }}
    >
      {layout.order.map((id) => {
        const column = byId.get(id);
        if (column === undefined) return null;
        return (
          <li key={id} className={styles.item}>
            <Checkbox
              isSelected={isVisible(layout, id)}
              isDisabled={column.canHide === false}
              onChange={(isShown) => onLayoutChange(setColumnVisible(layout, id, isShown))}
            >
              {column.header}
            </Checkbox>
            {column.isAdded === true && onRemove !== undefined && (
              <IconButton
                size="sm"
                icon={X}
                label={`Remove ${column.header}`}
                className={styles.remove}
                onPress={() => onRemove(id)}
              />
            )}
            <button
              type="button"
              className={styles.grip}
              aria-label={`Move ${column.header}: press the up or down arrow, or drag`}
              onKeyDown={(event) => onKeyDown(event, id)}
              onPointerDown={(event) => startDrag(event, id)}
            >
              <GripVertical size={14} aria-hidden />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
