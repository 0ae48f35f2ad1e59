import { UnfoldVertical } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import type { DiffLine, DiffRow } from '#ui/lib/diff/text-diff.ts';
import { useTextDiff } from '#ui/lib/diff/use-text-diff.ts';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { Skeleton } from '../skeleton.tsx';
import { foldEqualRows } from './folded-rows.ts';
import styles from './text-diff.module.css';

/** See {@link TextDiff}. */
export interface TextDiffProps {
  /** Null: this side has no such text. */
  readonly left: string | null;
  readonly right: string | null;
  /** Both texts beside each other; else changes stand below each other. */
  readonly isSplit: boolean;
  /** Written by a program. */
  readonly isCode?: boolean;
}

/** Rows that are drawn at first, and again as many on request. */
const ROWS_AT_ONCE = 300;

/** How two texts differ, line by line and word by word; what is equal is folded. */
export function TextDiff({ left, right, isSplit, isCode = false }: TextDiffProps) {
  const isBoth = left !== null && right !== null;
  const diff = useTextDiff(isBoth ? left : '', isBoth ? right : '');
  const className = classNames(styles.diff, isSplit && styles.split, isCode && styles.code);
  if (!isBoth) {
    return (
      <div className={className}>
        <Rows rows={rowsOf(left, right)} isSplit={isSplit} hasFolds={false} />
      </div>
    );
  }
  if (diff === undefined) return <Skeleton lines={4} />;
  if (diff === 'failed') {
    return (
      <div className={className}>
        <p className={styles.note}>These texts are too long to compare line by line.</p>
        <Rows rows={[...rowsOf(left, null), ...rowsOf(null, right)]} isSplit={isSplit} hasFolds={false} />
      </div>
    );
  }
  return (
    <div className={className}>
      <Rows rows={diff.rows} isSplit={isSplit} hasFolds />
      {diff.isCut && <p className={styles.note}>Only the first million characters of each text were compared.</p>}
    </div>
  );
}

/** A text that has nothing beside it. */
function rowsOf(left: string | null, right: string | null): readonly DiffRow[] {
  return (left ?? right ?? '').split('\n').map((text, place) => {
    const line: DiffLine = { number: place + 1, pieces: [{ text, isChanged: false }] };
    return { isEqual: false, ...(left === null ? { right: line } : { left: line }) };
  });
}

function Rows(props: { readonly rows: readonly DiffRow[]; readonly isSplit: boolean; readonly hasFolds: boolean }) {
  const { rows, isSplit, hasFolds } = props;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [shownCount, setShownCount] = useState(ROWS_AT_ONCE);
  const stretches = hasFolds ? foldEqualRows(rows) : [{ type: 'rows' as const, start: 0, rows }];
  const drawn: ReactNode[] = [];
  let left = shownCount;
  let hiddenCount = 0;
  for (const stretch of stretches) {
    if (stretch.type === 'fold' && !opened.has(stretch.start)) {
      if (left <= 0) continue;
      drawn.push(
        <button
          key={stretch.start}
          type="button"
          className={styles.fold}
          onClick={() => setOpened((before) => new Set([...before, stretch.start]))}
        >
          <UnfoldVertical size={12} aria-hidden />
          {formatExact(stretch.rows.length)} equal {nounOf(stretch.rows.length, 'lines')}
        </button>,
      );
      continue;
    }
    const seen = stretch.rows.slice(0, Math.max(left, 0));
    left -= stretch.rows.length;
    hiddenCount += stretch.rows.length - seen.length;
    for (const [place, row] of seen.entries())
      drawn.push(
        isSplit ? (
          <SplitRow key={stretch.start + place} row={row} />
        ) : (
          <JoinedRow key={stretch.start + place} row={row} />
        ),
      );
  }
  return (
    <>
      {drawn}
      {hiddenCount > 0 && (
        <button
          type="button"
          className={styles.fold}
          onClick={() => setShownCount((before) => before + ROWS_AT_ONCE * 3)}
        >
          <UnfoldVertical size={12} aria-hidden />
          Show more of {formatExact(hiddenCount)} further lines
        </button>
      )}
    </>
  );
}

function SplitRow({ row }: { readonly row: DiffRow }) {
  return (
    <div className={styles.row}>
      <Line line={row.left} tone={row.isEqual ? 'equal' : 'left'} />
      <Line line={row.right} tone={row.isEqual ? 'equal' : 'right'} />
    </div>
  );
}

function JoinedRow({ row }: { readonly row: DiffRow }) {
  if (row.isEqual) return <Line line={row.right} tone="equal" />;
  return (
    <>
      {row.left !== undefined && <Line line={row.left} tone="left" />}
      {row.right !== undefined && <Line line={row.right} tone="right" />}
    </>
  );
}

const SIGNS = { equal: '', left: '−', right: '+' } as const;

function Line({ line, tone }: { readonly line: DiffLine | undefined; readonly tone: 'equal' | 'left' | 'right' }) {
  if (line === undefined) return <div className={styles.none} />;
  const isWhole = line.pieces.every(({ isChanged }) => isChanged);
  const Changed = tone === 'left' ? 'del' : 'ins';
  return (
    <div className={styles.line} data-tone={tone}>
      <span className={styles.sign} aria-hidden>
        {SIGNS[tone]}
      </span>
      <span className={styles.text}>
        {line.pieces.map(({ text, isChanged }, place) =>
          isChanged ? (
            <Changed key={place} className={isWhole ? styles.wholeLine : styles.word}>
              {text}
            </Changed>
          ) : (
            <Fragment key={place}>{text}</Fragment>
          ),
        )}
      </span>
    </div>
  );
}
