import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import { readStored, writeStored } from '#ui/lib/storage.ts';
import styles from './split-pane.module.css';

/** See {@link SplitPane}. */
export interface SplitPaneProps {
  /** Under which the size is remembered. */
  readonly id: string;
  readonly primary: ReactNode;
  readonly secondary: ReactNode;
  /** Share of the primary pane in percent. */
  readonly defaultSize: number;
  /** Least width (height, if vertical) of either pane in pixels. */
  readonly min: number;
  /** Name of the line between the panes: `Resize details`. */
  readonly label?: string;
  readonly orientation?: 'horizontal' | 'vertical';
  /** Gives the whole place to one pane. The other one keeps its state, unseen. */
  readonly only?: 'primary' | 'secondary' | undefined;
}

const STEP_PERCENT = 2;

/** Two panes with a line between them that can be dragged, or moved by the arrow keys; a double click puts it back. */
export function SplitPane({
  id,
  primary,
  secondary,
  defaultSize,
  min,
  label = 'Resize panes',
  orientation = 'horizontal',
  only,
}: SplitPaneProps) {
  const container = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(() => readStored(`split.${id}`, parsePercent) ?? defaultSize);
  const isVertical = orientation === 'vertical';

  function resize(percent: number): void {
    const box = container.current?.getBoundingClientRect();
    const extent = isVertical ? box?.height : box?.width;
    const next = clampSize(percent, min, extent ?? 0);
    setSize(next);
    writeStored(`split.${id}`, next);
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    const box = container.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    resize(
      isVertical ? ((event.clientY - box.top) / box.height) * 100 : ((event.clientX - box.left) / box.width) * 100,
    );
  }

  function onKeyDown(event: KeyboardEvent): void {
    const next = sizeAfterKey(event.key, size, isVertical);
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  }

  const minSize = `min(${min}px, 50%)`;
  const minName = isVertical ? 'minHeight' : 'minWidth';
  const basis = only === 'primary' ? '1 1 100%' : `0 1 ${size}%`;
  return (
    <div ref={container} className={classNames(styles.split, isVertical && styles.vertical)}>
      <div className={styles.pane} hidden={only === 'secondary'} style={{ flex: basis, [minName]: minSize }}>
        {primary}
      </div>
      <div
        className={styles.separator}
        hidden={only !== undefined}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- One that moves is a widget, which hr is not.
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation={isVertical ? 'horizontal' : 'vertical'}
        aria-valuenow={Math.round(size)}
        aria-valuemin={0}
        aria-valuemax={100}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onPointerMove}
        onKeyDown={onKeyDown}
        onDoubleClick={() => resize(defaultSize)}
      />
      <div className={styles.pane} hidden={only === 'primary'} style={{ flex: '1 1 0', [minName]: minSize }}>
        {secondary}
      </div>
    </div>
  );
}

function sizeAfterKey(key: string, size: number, isVertical: boolean): number | undefined {
  if (key === (isVertical ? 'ArrowUp' : 'ArrowLeft')) return size - STEP_PERCENT;
  if (key === (isVertical ? 'ArrowDown' : 'ArrowRight')) return size + STEP_PERCENT;
  if (key === 'Home') return 0;
  if (key === 'End') return 100;
  return undefined;
}

function clampSize(percent: number, min: number, extent: number): number {
  const least = extent === 0 ? 0 : Math.min(50, (min / extent) * 100);
  return Math.min(100 - least, Math.max(least, percent));
}

function parsePercent(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;
}
