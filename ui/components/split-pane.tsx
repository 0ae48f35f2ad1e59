import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import { readStored, writeStored } from '#ui/lib/storage.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
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
  /** What the primary pane needs in pixels: it takes no more until somebody moves the line. */
  readonly primaryExtent?: number | undefined;
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
  primaryExtent,
  label = 'Resize panes',
  orientation = 'horizontal',
  only,
}: SplitPaneProps) {
  const container = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(() => readStored(`split.${id}`, parsePercent));
  const isVertical = orientation === 'vertical';
  const extent = useExtent(container, isVertical);
  const needed = primaryExtent === undefined || extent === 0 ? 100 : (primaryExtent / extent) * 100;
  const size = chosen ?? Math.min(defaultSize, needed);
  const primaryMin = Math.min(min, primaryExtent ?? min);

  function resize(percent: number): void {
    const next = Math.min(100 - leastShare(min, extent), Math.max(leastShare(primaryMin, extent), percent));
    setChosen(next);
    writeStored(`split.${id}`, next);
  }

  function putBack(): void {
    setChosen(undefined);
    writeStored(`split.${id}`, null);
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    const box = container.current?.getBoundingClientRect();
    if (box === undefined || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    resize(
      isVertical ? ((event.clientY - box.top) / box.height) * 100 : ((event.clientX - box.left) / box.width) * 100,
    );
  }

  useShortcuts('Pane divider', KEYS);
  function onKeyDown(event: KeyboardEvent): void {
    const next = sizeAfterKey(event.key, size, isVertical);
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  }

  const minName = isVertical ? 'minHeight' : 'minWidth';
  const basis = only === 'primary' ? '1 1 100%' : `0 1 ${size}%`;
  return (
    <div ref={container} className={classNames(styles.split, isVertical && styles.vertical)}>
      <div
        className={styles.pane}
        hidden={only === 'secondary'}
        style={{ flex: basis, [minName]: `min(${primaryMin}px, 50%)` }}
      >
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
        onDoubleClick={putBack}
      />
      <div
        className={styles.pane}
        hidden={only === 'primary'}
        style={{ flex: '1 1 0', [minName]: `min(${min}px, 50%)` }}
      >
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

/** Percent of the extent that a pane keeps. */
function leastShare(min: number, extent: number): number {
  return extent === 0 ? 0 : Math.min(50, (min / extent) * 100);
}

/** The height or width of an element in pixels, again whenever it changes. */
function useExtent(ref: RefObject<HTMLElement | null>, isVertical: boolean): number {
  const [extent, setExtent] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setExtent(isVertical ? element.clientHeight : element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, isVertical]);
  return extent;
}

function parsePercent(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;
}

const KEYS: readonly Shortcut[] = [{ keys: 'ArrowLeft ArrowRight', label: 'Move the divider' }];
