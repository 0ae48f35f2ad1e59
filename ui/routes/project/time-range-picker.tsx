import { CalendarClock, ChevronLeft, ChevronRight, type LucideIcon, ZoomIn, ZoomOut } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button, IconButton } from '#ui/components/button.tsx';
import { Popover, PopoverTrigger } from '#ui/components/popover.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { useNow } from '#ui/lib/now.ts';
import { preloadable } from '#ui/lib/preloadable.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import type { TimeRange } from '#ui/lib/time-range.ts';
import { stepTimeRange, zoomTimeRange } from '#ui/lib/time-range-moves.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import styles from './time-range-picker.module.css';

const Panel = preloadable(async () => (await import('./time-range-panel.tsx')).TimeRangePanel);

/** See {@link TimeRangePicker}. */
export interface TimeRangePickerProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
  /** Part of the screen that its keys are listed under. */
  readonly scope: string;
}

interface Move {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly keys: string;
  readonly after: (range: TimeRange, nowMs: number) => TimeRange | undefined;
}

const EARLIER: Move = {
  icon: ChevronLeft,
  label: 'Earlier',
  keys: ',',
  after: (range, nowMs) => stepTimeRange(range, -1, nowMs),
};
const LATER: Move = {
  icon: ChevronRight,
  label: 'Later',
  keys: '.',
  after: (range, nowMs) => stepTimeRange(range, 1, nowMs),
};
const OUT: Move = {
  icon: ZoomOut,
  label: 'Longer time range',
  keys: '-',
  after: (range, nowMs) => zoomTimeRange(range, 'out', nowMs),
};
const IN: Move = {
  icon: ZoomIn,
  label: 'Shorter time range',
  keys: '+',
  after: (range, nowMs) => zoomTimeRange(range, 'in', nowMs),
};

/** Chooses the time that a page shows: from a list, typed, in a calendar; or moves it and makes it longer or shorter. */
export function TimeRangePicker({ range, onChange, scope }: TimeRangePickerProps) {
  const zone = useTimeZone();
  const nowMs = useNow();
  const isNarrow = useMediaQuery(NARROW);
  const [isOpen, setIsOpen] = useState(false);
  const make = ({ after }: Move) => {
    const next = after(range, nowMs);
    if (next !== undefined) onChange(next);
  };
  const button = (move: Move) => (
    <IconButton
      icon={move.icon}
      label={move.label}
      shortcut={move.keys}
      isDisabled={move.after(range, nowMs) === undefined}
      onPress={() => make(move)}
    />
  );
  useShortcuts(scope, [
    { keys: 't', label: 'Choose the time range', run: () => setIsOpen(true) },
    ...[EARLIER, LATER, OUT, IN].map((move) => ({ keys: move.keys, label: move.label, run: () => make(move) })),
    { keys: '=', label: IN.label, run: () => make(IN) },
  ]);
  return (
    <div className={styles.picker}>
      {!isNarrow && button(EARLIER)}
      <PopoverTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
        <Button
          icon={CalendarClock}
          aria-label={`Time range: ${formatTimeRange(range, zone)}`}
          onHoverStart={Panel.preload}
        >
          <span className={styles.current}>{formatTimeRange(range, zone)}</span>
        </Button>
        <Popover label="Time range" placement="bottom end" className={styles.content}>
          {isNarrow && (
            <div className={styles.moves}>
              {button(EARLIER)}
              {button(LATER)}
              {button(OUT)}
              {button(IN)}
            </div>
          )}
          <Suspense fallback={<Skeleton width="100%" height="320px" />}>
            <Panel.Component
              range={range}
              onChoose={(next) => {
                setIsOpen(false);
                onChange(next);
              }}
            />
          </Suspense>
        </Popover>
      </PopoverTrigger>
      {!isNarrow && (
        <>
          {button(LATER)}
          {button(OUT)}
          {button(IN)}
        </>
      )}
    </div>
  );
}
