import { CalendarClock, Check } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { Popover, PopoverTrigger } from '#ui/components/popover.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { useNow } from '#ui/lib/now.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { isSameTimeRange, resolveTimeRange, TIME_RANGE_PRESETS, type TimeRange } from '#ui/lib/time-range.ts';
import { formatTimeRange, parseTimeRange, TIME_RANGE_EXAMPLES } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useJudgement } from '#ui/lib/use-judgement.ts';
import { fromWallTime, toWallTime } from '#ui/lib/zoned-time.ts';
import styles from './time-range-picker.module.css';
import { useProjectView } from './project-view.ts';

/** Chooses the time that the project's pages show: from a list, typed, or by its two ends. */
export function TimeRangePicker() {
  const { range, setRange } = useProjectView();
  const zone = useTimeZone();
  const [isOpen, setIsOpen] = useState(false);
  useShortcuts('Project', [{ keys: 't', label: 'Choose the time range', run: () => setIsOpen(true) }]);
  function choose(next: TimeRange): void {
    setIsOpen(false);
    setRange(next);
  }
  return (
    <PopoverTrigger isOpen={isOpen} onOpenChange={setIsOpen}>
      <Button icon={CalendarClock} aria-label={`Time range: ${formatTimeRange(range, zone)}`}>
        <span className={styles.current}>{formatTimeRange(range, zone)}</span>
      </Button>
      <Popover label="Time range" placement="bottom end" className={styles.content}>
        <TypedRange zone={zone} onChoose={choose} />
        <ul className={styles.presets}>
          {TIME_RANGE_PRESETS.map((preset) => {
            const isChosen = isSameTimeRange(preset, range);
            const label = formatTimeRange(preset, zone);
            return (
              <li key={label}>
                <button type="button" className={styles.preset} aria-pressed={isChosen} onClick={() => choose(preset)}>
                  {label}
                  {isChosen && <Check size={14} aria-hidden />}
                </button>
              </li>
            );
          })}
        </ul>
        <Ends range={range} zone={zone} onChoose={choose} />
        <p className={styles.zone}>Times are in {zone}.</p>
      </Popover>
    </PopoverTrigger>
  );
}

interface PartProps {
  readonly zone: string;
  readonly onChoose: (range: TimeRange) => void;
}

function TypedRange({ zone, onChoose }: PartProps) {
  const [text, setText] = useState('');
  const [judgement, judge] = useJudgement(text);
  const nowMs = useNow();
  const meant = parseTimeRange(text, zone, nowMs);
  function submit(event: FormEvent): void {
    event.preventDefault();
    judge(text);
    if (meant !== undefined) onChoose(meant);
  }
  const isRefused = meant === undefined && judgement !== 'none' && text.trim() !== '';
  return (
    <form onSubmit={submit} className={styles.typed} noValidate>
      <TextField
        label="Type a time range"
        placeholder="25m, 2 hours, 2026-11-20"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- Who opens this wants to choose, and typing is the quickest.
        autoFocus
        value={text}
        onChange={setText}
        onBlur={() => judge(text)}
        isInvalid={isRefused}
        error={
          <>
            This is not a time range. Examples:{' '}
            {TIME_RANGE_EXAMPLES.map((example) => (
              <code key={example} className={styles.example}>
                {example}
              </code>
            ))}
          </>
        }
        hint={meant === undefined ? undefined : `${formatTimeRange(meant, zone)} – press Enter`}
      />
    </form>
  );
}

function Ends({ range, zone, onChoose }: PartProps & { readonly range: TimeRange }) {
  const [ends, setEnds] = useState(() => {
    const now = Date.now();
    const { start, end } = resolveTimeRange(range, now);
    return {
      start: toWallTime(start === undefined ? now - 86_400_000 : Date.parse(start), zone),
      end: toWallTime(end === undefined ? now : Date.parse(end), zone),
    };
  });
  const start = fromWallTime(ends.start, zone);
  const end = fromWallTime(ends.end, zone);
  const isValid = start !== undefined && end !== undefined && start < end;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isValid) onChoose({ kind: 'between', start: new Date(start).toISOString(), end: new Date(end).toISOString() });
  }
  return (
    <form onSubmit={submit} className={styles.ends}>
      {(['start', 'end'] as const).map((side) => (
        <label key={side} className={styles.end}>
          <span>{side === 'start' ? 'From' : 'To'}</span>
          <input
            type="datetime-local"
            value={ends[side]}
            onChange={({ target }) => setEnds({ ...ends, [side]: target.value })}
          />
        </label>
      ))}
      {start !== undefined && end !== undefined && start >= end && (
        <p className={styles.fault} role="alert">
          The start must be before the end.
        </p>
      )}
      <Button type="submit" size="sm" isDisabled={!isValid}>
        Show
      </Button>
    </form>
  );
}
