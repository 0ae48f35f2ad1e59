import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { formatBytes } from '#ui/lib/format.ts';
import { CopyButton } from '../copy-button.tsx';
import { withoutBase64 } from './base64-runs.ts';
import { FindBar } from './find-bar.tsx';
import { findMatches } from './find-matches.ts';
import { HiddenBase64 } from './hidden-base64.tsx';
import { breakText, rowAt, rowText, type TextRows } from './text-rows.ts';
import styles from './long-text.module.css';

/** See {@link LongText}. */
export interface LongTextProps {
  readonly text: string;
  /** Name for screen readers: `Output`. */
  readonly label: string;
  /** Stands at the beginning of the line above the text. */
  readonly children?: ReactNode;
}

const ROW_HEIGHT = 18;

/** Text of any length, of which only the rows in sight are in the page, with search. Long base64 is told by its size. */
export function LongText({ text, label, children }: LongTextProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useColumns(scroller);
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const searched = useDeferredValue(query);
  const printed = useMemo(() => withoutBase64(text, ({ bytes }) => `[base64, ${formatBytes(bytes)}]`), [text]);
  const rows = useMemo(() => breakText(printed, columns), [printed, columns]);
  const matches = useMemo(() => findMatches(printed, searched), [printed, searched]);
  // oxlint-disable-next-line react/incompatible-library -- Nothing here is memoised by a compiler.
  const virtualizer = useVirtualizer({
    count: rows.starts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  });
  const match = matches[current];
  useEffect(() => {
    if (match !== undefined) virtualizer.scrollToIndex(rowAt(rows, match), { align: 'center' });
  }, [match, rows, virtualizer]);
  return (
    <div className={styles.longText}>
      <div className={styles.toolbar}>
        {children}
        <span className={styles.size}>{formatBytes(text.length)}</span>
        <span className={styles.gap} />
        <FindBar
          label={`Find in ${label}`}
          query={query}
          onQueryChange={(next) => {
            setQuery(next);
            setCurrent(0);
          }}
          count={matches.length}
          current={current}
          onCurrentChange={setCurrent}
        />
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
      <HiddenBase64 text={text} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- What scrolls must be within reach of the keyboard. */}
      <div ref={scroller} className={styles.scroller} tabIndex={0} role="group" aria-label={label}>
        <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => (
            <div key={index} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
              {markMatches(rows, index, matches, searched.length, match)}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** The text of a row; matches are marked, including those that continue in the next row. */
function markMatches(
  rows: TextRows,
  row: number,
  matches: readonly number[],
  length: number,
  current?: number,
): ReactNode {
  const text = rowText(rows, row);
  if (matches.length === 0) return text;
  const start = rows.starts[row] ?? 0;
  const pieces: ReactNode[] = [];
  let shown = 0;
  for (let index = firstEndingAfter(matches, start - length); index < matches.length; index++) {
    const at = matches[index] ?? 0;
    if (at >= start + text.length) break;
    const from = Math.max(at - start, 0);
    const to = Math.min(at + length - start, text.length);
    pieces.push(text.slice(shown, from), mark(text.slice(from, to), at, at === current));
    shown = to;
  }
  return [...pieces, text.slice(shown)];
}

function mark(text: string, key: number, isCurrent: boolean): ReactNode {
  return (
    <mark key={key} className={isCurrent ? styles.current : styles.match}>
      {text}
    </mark>
  );
}

/** The first match that begins behind the offset. */
function firstEndingAfter(matches: readonly number[], offset: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((matches[middle] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How many letters of the monospaced face fit. */
function useColumns(scroller: RefObject<HTMLDivElement | null>): number {
  const [columns, setColumns] = useState(100);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = () => {
      const style = getComputedStyle(element);
      const inner = element.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      setColumns(Math.max(20, Math.floor(inner / letterWidth(style))));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [scroller]);
  return columns;
}

function letterWidth({ fontSize, fontFamily }: CSSStyleDeclaration): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return Number.parseFloat(fontSize) * 0.6;
  context.font = `${fontSize} ${fontFamily}`;
  return context.measureText('0'.repeat(100)).width / 100;
}
