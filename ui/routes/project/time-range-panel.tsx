import { Check } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { addDays } from '#ui/components/calendar/calendar-days.ts';
import { type DayRange, RangeCalendar } from '#ui/components/calendar/range-calendar.tsx';
import { TextField } from '#ui/components/text-field.tsx';
import { useMediaQuery } from '#ui/lib/media-query.ts';
import { useNow } from '#ui/lib/now.ts';
import { isSameTimeRange, resolveTimeRange, TIME_RANGE_PRESETS, type TimeRange } from '#ui/lib/time-range.ts';
import { formatTimeRange, parseTimeRange, TIME_RANGE_EXAMPLES } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useJudgement } from '#ui/lib/use-judgement.ts';
import { toWallTime } from '#ui/lib/zoned-time.ts';
import styles from './time-range-picker.module.css';

interface TimeRangePanelProps {
  readonly range: TimeRange;
  readonly onChoose: (range: TimeRange) => void;
}

/** The ways to choose a time range: a field for words, a list, and a calendar with both ends. */
export function TimeRangePanel({ range, onChoose }: TimeRangePanelProps) {
  const zone = useTimeZone();
  const offers = offersOf(zone, useNow());
  return (
    <div className={styles.panel}>
      <div className={styles.quick}>
        <TypedRange zone={zone} onChoose={onChoose} />
        <ul className={styles.presets}>
          {offers.map(({ label, preset }) => {
            const isChosen = isSameTimeRange(preset, range);
            return (
              <li key={label}>
                <button
                  type="button"
                  className={styles.preset}
                  aria-pressed={isChosen}
                  onClick={() => onChoose(preset)}
                >
                  {label}
                  {isChosen && <Check size={14} aria-hidden />}
                </button>
              </li>
            );
          })}
        </ul>
      </div>
      <Ends range={range} zone={zone} onChoose={onChoose} />
    </div>
  );
}

interface Offer {
  readonly label: string;
  readonly preset: TimeRange;
}

/** The presets, with the days of the zone's calendar before those that are longer than a day. */
function offersOf(zone: string, nowMs: number): readonly Offer[] {
  const presets = TIME_RANGE_PRESETS.map((preset) => ({ label: formatTimeRange(preset, zone), preset }));
  const days = ['Today', 'Yesterday'].flatMap((label) => {
    const preset = parseTimeRange(label, zone, nowMs);
    return preset === undefined ? [] : [{ label, preset }];
  });
  const longer = presets.findIndex(({ preset }) => preset.kind !== 'last' || preset.minutes > DAY_MINUTES);
  return presets.toSpliced(longer, 0, ...days);
}

const DAY_MINUTES = 1440;

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
    <form onSubmit={submit} noValidate>
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

/** Below this, one month fills the width. */
const WIDE = '(width >= 860px)';

/** Both ends in a calendar, and with times of day in two fields. */
function Ends({ range, zone, onChoose }: PartProps & { readonly range: TimeRange }) {
  const nowMs = useNow();
  const [ends, setEnds] = useState(() => endsOf(range, zone, nowMs));
  const monthCount = useMediaQuery(WIDE) ? 2 : 1;
  const meant = parseTimeRange(`${ends.from} to ${ends.to}`, zone, nowMs);
  const today = toWallTime(nowMs, zone).slice(0, 10);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (meant !== undefined) onChoose(meant);
  }
  return (
    <form onSubmit={submit} className={styles.ends} noValidate>
      <RangeCalendar
        range={daysOf(meant, zone, today)}
        today={today}
        monthCount={monthCount}
        onChange={({ first, last }) => setEnds({ from: first, to: last })}
      />
      <div className={styles.fields}>
        {(['from', 'to'] as const).map((side) => (
          <TextField
            key={side}
            label={side === 'from' ? 'From' : 'To'}
            placeholder={side === 'from' ? '2026-11-20 10:00' : '2026-11-20 12:30'}
            value={ends[side]}
            isInvalid={meant === undefined}
            onChange={(text) => setEnds({ ...ends, [side]: text })}
          />
        ))}
        <Button type="submit" isDisabled={meant === undefined}>
          Show
        </Button>
      </div>
      <output className={styles.zone}>
        {meant === undefined
          ? 'Write days, such as 2026-11-20, with or without a time, such as 10:00. The first must be before the second.'
          : `${formatTimeRange(meant, zone)}. Times are in ${zone}.`}
      </output>
    </form>
  );
}

/** What the fields say of a range: days alone where it is made of whole days. */
function endsOf(range: TimeRange, zone: string, nowMs: number): { readonly from: string; readonly to: string } {
  const { start = new Date(nowMs - 86_400_000).toISOString(), end } = resolveTimeRange(range, nowMs);
  const from = toWallTime(Date.parse(start), zone).replace('T', ' ');
  if (end === undefined) return { from, to: 'now' };
  const to = toWallTime(Date.parse(end), zone).replace('T', ' ');
  const isOfDays = from.endsWith(' 00:00') && to.endsWith(' 00:00');
  return isOfDays ? { from: from.slice(0, 10), to: addDays(to.slice(0, 10), -1) } : { from, to };
}

/** The days that a range touches. */
function daysOf(range: TimeRange | undefined, zone: string, today: string): DayRange | undefined {
  if (range?.kind !== 'between' || range.start === undefined) return undefined;
  const first = toWallTime(Date.parse(range.start), zone).slice(0, 10);
  if (range.end === undefined) return { first, last: today };
  return { first, last: toWallTime(Date.parse(range.end) - 1, zone).slice(0, 10) };
}
