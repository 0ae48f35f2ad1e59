import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import styles from './whole-text.module.css';
import { type WholeText, WholeTextPanel } from './whole-text-panel.tsx';

/** Columns that show the beginning of a text, or that something failed, which a text explains. */
const COLUMNS = ['status', 'input', 'output', 'firstInput', 'lastOutput'];
const CELLS = COLUMNS.map((column) => `td[data-column="${column}"]`).join(', ');

/** So long the pointer rests on a cell before the panel opens, and so long it may take to move into the panel. */
const OPEN_MS = 400;
const LEAVE_MS = 250;

/** After so long at most a text goes whose cell has gone. */
const WATCH_MS = 200;

/** A table whose cells show their whole text where the pointer rests, and whose rows do at a press of Space. */
export function WholeTextArea({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<WholeText & { readonly isByKey: boolean }>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (shown === undefined) return undefined;
    // Nothing tells of a cell that goes: it is the table's, which draws its rows anew as it likes.
    const watch = setInterval(() => shown.anchor.isConnected || setShown(undefined), WATCH_MS);
    return () => clearInterval(watch);
  }, [shown]);
  useShortcuts('Table', KEYS);

  function later(ms: number, run: () => void): void {
    clearTimeout(timer.current);
    timer.current = setTimeout(run, ms);
  }

  function onPointerOver({ target, pointerType, buttons }: PointerEvent): void {
    if (pointerType !== 'mouse' || buttons !== 0 || !(target instanceof Element)) return;
    const anchor = target.closest<HTMLElement>(CELLS);
    const rowId = anchor?.closest('tr')?.dataset['id'];
    if (anchor === null || rowId === undefined || anchor.querySelector('[data-has-text]') === null) return;
    if (shown?.anchor === anchor) clearTimeout(timer.current);
    else
      later(OPEN_MS, () => {
        // The table may have been drawn anew meanwhile.
        if (anchor.isConnected) setShown({ rowId, column: anchor.dataset['column'], anchor, isByKey: false });
      });
  }

  /** Goes on while the pointer is on its way into the panel. */
  function onPointerOut({ pointerType }: PointerEvent): void {
    if (pointerType === 'mouse' && shown?.isByKey !== true) later(LEAVE_MS, () => setShown(undefined));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { target, key } = event;
    if (key !== ' ' || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(target instanceof HTMLTableRowElement)) return;
    const rowId = target.dataset['id'];
    if (rowId === undefined) return;
    event.preventDefault();
    clearTimeout(timer.current);
    setShown({ rowId, column: undefined, anchor: target, isByKey: true });
  }

  function close(): void {
    clearTimeout(timer.current);
    setShown(undefined);
    if (shown?.isByKey === true) shown.anchor.focus();
  }

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- The table inside has the focus and the keys. */}
      <div
        className={styles.area}
        onPointerOver={onPointerOver}
        onPointerOut={onPointerOut}
        onPointerDown={() => {
          clearTimeout(timer.current);
          setShown(undefined);
        }}
        onWheel={() => shown?.isByKey !== true && close()}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
      {shown !== undefined && (
        <WholeTextPanel
          key={`${shown.rowId} ${shown.column}`}
          shown={shown}
          takesFocus={shown.isByKey}
          onClose={close}
          onPointerEnter={() => clearTimeout(timer.current)}
          onPointerLeave={onPointerOut}
          onBlur={(event: FocusEvent) => {
            if (shown.isByKey && !event.currentTarget.contains(event.relatedTarget)) setShown(undefined);
          }}
        />
      )}
    </>
  );
}

const KEYS: readonly Shortcut[] = [{ keys: 'Space', label: 'Read the whole texts of the row' }];
