import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { type Selection, selectionAfterKey } from '#ui/components/chart/bucket-selection.ts';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatCount, formatDuration, formatExact, formatUsd } from '#ui/lib/format.ts';
import { objectionOf } from '#ui/lib/server-error.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { type Bucket, findOutliers, rangeOf } from './buckets.ts';
import { StripBars } from './strip-bars.tsx';
import { StripTable } from './strip-table.tsx';
import styles from './strip.module.css';

interface StripProps {
  /** What is counted, in the middle of a sentence. */
  readonly noun: string;
  /** Ascending, without gaps; undefined while nothing is known. */
  readonly buckets: readonly Bucket[] | undefined;
  /** Rows that are active in this time range but started before it; no bucket counts them. */
  readonly earlierCount: number;
  /** Of what was to be counted. */
  readonly share: number;
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  readonly onRetry: () => void;
  readonly onNarrow: (start: string, end: string) => void;
}

/** Counts over time in one line above a table. Dragging, or arrows and Enter, narrow the time. */
export function Strip(props: StripProps) {
  const { noun, buckets = NONE, earlierCount, share, isLoading, error, onRetry, onNarrow } = props;
  const zone = useTimeZone();
  const [selection, setSelection] = useState<Selection>();
  const [pointed, setPointed] = useState<number>();
  const outliers = findOutliers(buckets);
  const shownPlace = pointed ?? selection?.to;
  const shown = shownPlace === undefined ? undefined : buckets[shownPlace];

  // Places in other buckets mean other times.
  const [known, setKnown] = useState(buckets);
  if (known !== buckets) {
    setKnown(buckets);
    setSelection(undefined);
    setPointed(undefined);
  }
  function narrow(chosen: Selection | undefined): void {
    const range = chosen === undefined ? null : rangeOf(buckets, chosen);
    setSelection(undefined);
    if (range !== null) onNarrow(...range);
  }

  function placeAt(event: PointerEvent<HTMLDivElement>): number {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const place = Math.floor(((event.clientX - left) / width) * buckets.length);
    return Math.min(buckets.length - 1, Math.max(0, place));
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    const to = placeAt(event);
    setPointed(to);
    if (event.currentTarget.hasPointerCapture(event.pointerId) && selection !== undefined)
      setSelection({ ...selection, to });
  }

  useShortcuts('Chart above the table', KEYS);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') narrow(selection);
    else if (event.key === 'Escape' && selection !== undefined) setSelection(undefined);
    else {
      const start = selection ?? { from: buckets.length - 1, to: buckets.length - 1 };
      const next = selectionAfterKey(start, event.key, event.shiftKey, buckets.length);
      if (next === undefined) return;
      setSelection(selection === undefined && !event.shiftKey ? start : next);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  const chosenRange = selection === undefined || selection.from === selection.to ? null : rangeOf(buckets, selection);
  const total = buckets.reduce((sum, { totalCount }) => sum + totalCount, 0);
  if (error !== undefined) {
    return (
      <div className={styles.strip} data-failed>
        <p role="alert" className={styles.failure}>
          The {noun} could not be counted over time. {describeError(error)}
        </p>
        {objectionOf(error) !== 'refused' && (
          <Button size="sm" onPress={onRetry}>
            Try again
          </Button>
        )}
      </div>
    );
  }
  return (
    <section className={styles.strip} aria-label={`${capitalize(noun)} over time`}>
      <ProgressLine isActive={isLoading} label={`Counting ${noun}`} />
      <div
        className={styles.plot}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- One of two ends, over a picture, which no input is.
        role="slider"
        tabIndex={buckets.length === 0 ? -1 : 0}
        aria-label={`${capitalize(noun)} over time: arrow keys move, Shift extends the selection, Enter narrows the time range`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, buckets.length - 1)}
        aria-valuenow={selection?.to ?? Math.max(0, buckets.length - 1)}
        aria-valuetext={
          chosenRange === null
            ? describe(buckets[selection?.to ?? buckets.length - 1], zone)
            : `${formatTimeRange({ kind: 'between', start: chosenRange[0], end: chosenRange[1] }, zone)} selected`
        }
        onPointerDown={(event) => {
          if (event.button !== 0 || buckets.length === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const place = placeAt(event);
          setSelection({ from: place, to: place });
        }}
        onPointerMove={onPointerMove}
        onPointerUp={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) narrow(selection);
        }}
        onPointerCancel={() => setSelection(undefined)}
        onPointerLeave={() => setPointed(undefined)}
        onKeyDown={onKeyDown}
        onBlur={() => setSelection(undefined)}
      >
        <StripBars buckets={buckets} selection={selection} pointed={pointed} outliers={outliers} />
      </div>
      <p className={styles.facts}>
        {shown !== undefined ? (
          <span className={styles.span}>{describe(shown, zone)}</span>
        ) : (
          <>
            <span className={styles.span}>{describeWhole(buckets, zone)}</span>
            {earlierCount > 0 && <span className={styles.span}>{formatExact(earlierCount)} started earlier</span>}
            {share < 1 && <span>counted in the newest {Math.max(1, Math.floor(share * 100))} % of the time range</span>}
            <Outlier place={outliers.slowest} buckets={buckets} mark="slowest" onNarrow={narrow} />
            <Outlier place={outliers.costliest} buckets={buckets} mark="costliest" onNarrow={narrow} />
          </>
        )}
      </p>
      <StripTable buckets={buckets} noun={noun} total={total} zone={zone} />
    </section>
  );
}

const NONE: readonly Bucket[] = [];

function Outlier(props: {
  readonly place: number | null;
  readonly buckets: readonly Bucket[];
  readonly mark: 'slowest' | 'costliest';
  readonly onNarrow: (selection: Selection) => void;
}) {
  const { place, mark, onNarrow } = props;
  const zone = useTimeZone();
  const bucket = place === null ? undefined : props.buckets[place];
  if (place === null || bucket === undefined) return null;
  const figure = mark === 'slowest' ? `p95 ${formatDuration(bucket.latencyMsP95)}` : formatUsd(bucket.cost);
  return (
    <button
      type="button"
      className={styles.outlier}
      data-mark={mark}
      title={`Show only ${timeOf(bucket, zone)}`}
      onClick={() => onNarrow({ from: place, to: place })}
    >
      <span>
        {mark === 'slowest' ? 'Slowest' : 'Most expensive'}: {figure}
        <span className={styles.when}>, {timeOf(bucket, zone)}</span>
      </span>
    </button>
  );
}

function describe(bucket: Bucket | undefined, zone: string): string {
  if (bucket === undefined) return 'Nothing';
  const { totalCount, errorCount, latencyMsP95, cost } = bucket;
  const parts = [`${timeOf(bucket, zone)}: ${formatExact(totalCount)}`];
  if (errorCount > 0) parts.push(`${formatExact(errorCount)} failed`);
  if (latencyMsP95 != null) parts.push(`p95 ${formatDuration(latencyMsP95)}`);
  if (cost > 0) parts.push(formatUsd(cost));
  return parts.join(' · ');
}

function describeWhole(buckets: readonly Bucket[], zone: string): string {
  const [first] = buckets;
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return '';
  const most = Math.max(...buckets.map(({ totalCount }) => totalCount));
  const range = formatTimeRange({ kind: 'between', start: first.startTime, end: last.endTime }, zone);
  return most === 0 ? range : `${range} · at most ${formatCount(most)} per bar`;
}

function timeOf({ startTime, endTime }: Bucket, zone: string): string {
  return formatTimeRange({ kind: 'between', start: startTime, end: endTime }, zone);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowLeft ArrowRight', label: 'Earlier or later' },
  { keys: 'Shift+ArrowLeft ArrowRight', label: 'Extend the selection' },
  { keys: 'Enter', label: 'Show the selected time range' },
];
