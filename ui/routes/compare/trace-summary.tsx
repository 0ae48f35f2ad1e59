import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { Button } from '#ui/components/button.tsx';
import { Name } from '#ui/components/name.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { StatusMark } from '#ui/components/status-mark.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import type { TraceSummary as Summary } from '../trace/trace-source.ts';
import { Delta } from './delta.tsx';
import { type FigureKind, formatFigure } from './model/describe-changes.ts';
import { type FigurePair, isLarge } from './model/differences.ts';
import { SideMark } from './side-mark.tsx';
import styles from './trace-summary.module.css';
import type { ComparedTrace, TraceComparison } from './use-comparison.ts';

/** The figures of a trace, in columns. */
const FIGURES: readonly {
  readonly label: string;
  readonly kind: FigureKind;
  readonly floor: number;
  readonly read: (summary: Summary) => number | null;
}[] = [
  { label: 'Latency', kind: 'time', floor: 50, read: ({ latencyMs }) => latencyMs },
  { label: 'Tokens', kind: 'tokens', floor: 10, read: ({ tokens }) => tokens.total || null },
  {
    label: 'Cost',
    kind: 'cost',
    floor: 1000,
    read: ({ cost }) => Math.round((cost.total ?? 0) * 1e9) || null,
  },
];

/** See {@link TraceSummaries}. */
export interface TraceSummariesProps {
  readonly comparison: TraceComparison;
  /** Whether there is room for the project and a column of the start. */
  readonly hasAllFacts: boolean;
  readonly onChange: (side: 'a' | 'b') => void;
  readonly onSwap: () => void;
}

/** Both traces as a whole, one below the other, and by how much they differ. */
export function TraceSummaries({ comparison: { a, b }, hasAllFacts, onChange, onSwap }: TraceSummariesProps) {
  const isNarrow = useMediaQuery(NARROW);
  const [left, right] = [a.state.summary, b.state.summary];
  const figures = FIGURES.map((figure) => ({
    ...figure,
    pair: { left: left && figure.read(left), right: right && figure.read(right) },
  }));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col" className={styles.trace}>
            {isNarrow ? (
              <Button variant="ghost" size="sm" icon={ArrowLeftRight} className={styles.swap} onPress={onSwap}>
                Swap
              </Button>
            ) : (
              'Trace'
            )}
          </th>
          {hasAllFacts && (
            <>
              <th scope="col" className={styles.project}>
                Project
              </th>
              <th scope="col">Started</th>
              <th scope="col">Status</th>
            </>
          )}
          {!isNarrow && (
            <th scope="col" className={styles.figure}>
              Spans
            </th>
          )}
          {figures.map(({ label }) => (
            <th key={label} scope="col" className={styles.figure}>
              {label}
            </th>
          ))}
          {!isNarrow && (
            <th scope="col" className={styles.change}>
              <VisuallyHidden>Actions</VisuallyHidden>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        <TraceRow {...{ figures, isNarrow, hasAllFacts }} side="A" trace={a} onChange={() => onChange('a')} />
        <TraceRow {...{ figures, isNarrow, hasAllFacts }} side="B" trace={b} onChange={() => onChange('b')} />
        <tr className={styles.difference}>
          <th scope="row" colSpan={hasAllFacts ? 4 : 1}>
            Change from A to B
          </th>
          {!isNarrow && <td className={styles.figure}>{countChange(left?.spanCount, right?.spanCount)}</td>}
          {figures.map(({ label, kind, pair, floor }) => (
            <td key={label} className={styles.figure}>
              <Delta kind={kind} figures={pair} isLarge={isLarge(pair, floor)} hasShare={!isNarrow} />
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function countChange(left: number | undefined, right: number | undefined): string {
  if (left === undefined || right === undefined || left === right) return '';
  return `${right > left ? '+' : '−'}${formatExact(Math.abs(right - left))}`;
}

interface TraceRowProps {
  readonly side: 'A' | 'B';
  readonly trace: ComparedTrace;
  readonly figures: readonly {
    readonly label: string;
    readonly kind: FigureKind;
    readonly pair: FigurePair;
  }[];
  readonly isNarrow: boolean;
  readonly hasAllFacts: boolean;
  readonly onChange: () => void;
}

function TraceRow({ side, trace, figures, isNarrow, hasAllFacts, onChange }: TraceRowProps) {
  const { ref, state } = trace;
  const { summary } = state;
  const name = summary?.rootName ?? `Trace ${ref.traceId.slice(0, 8)}`;
  const { projectId, traceId } = ref;
  const link: LinkProps = {
    to: '/projects/$projectId/traces/$traceId',
    params: { projectId, traceId },
    search: { view: 'full' },
  };
  const isNotable = summary?.status === 'ERROR' || summary?.status === 'OPEN';
  const mark = isNotable && <StatusMark status={summary.status} hasText={hasAllFacts} />;
  const started = <Timestamp value={summary?.startTime} style="time" />;
  return (
    <tr>
      <th scope="row" className={styles.trace}>
        <span className={styles.name}>
          <SideMark side={side} />
          {state.phase === 'opening' ? (
            <Skeleton width="140px" />
          ) : (
            <Link {...link} title={revealHidden(name)} className={styles.link}>
              <Name>{name}</Name>
            </Link>
          )}
          {!hasAllFacts && mark}
        </span>
        {!hasAllFacts && <span className={styles.second}>{started}</span>}
      </th>
      {hasAllFacts && (
        <>
          <td className={styles.project} title={revealHidden(ref.projectName)}>
            <Name>{ref.projectName}</Name>
          </td>
          <td>{started}</td>
          <td>{mark}</td>
        </>
      )}
      {!isNarrow && <td className={styles.figure}>{summary === null ? '' : formatExact(summary.spanCount)}</td>}
      {figures.map(({ label, kind, pair }) => (
        <td key={label} className={styles.figure}>
          {summary === null ? '' : formatFigure(kind, side === 'A' ? pair.left : pair.right)}
        </td>
      ))}
      {!isNarrow && (
        <td className={styles.change}>
          <Button variant="ghost" size="sm" aria-label={`Change trace ${side}`} onPress={onChange}>
            Change
          </Button>
        </td>
      )}
    </tr>
  );
}
