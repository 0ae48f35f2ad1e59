import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { dayAfterKey, monthAfter, weeksOf } from './calendar-days.ts';
import styles from './range-calendar.module.css';

/** Days, both included, as `2026-11-20`. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/** See {@link RangeCalendar}. */
export interface RangeCalendarProps {
  readonly range: DayRange | undefined;
  /** Told the days when the second one is pressed. */
  readonly onChange: (range: DayRange) => void;
  readonly today: string;
  /** How many months stand beside each other. */
  readonly monthCount: 1 | 2;
}

/** Chooses the first and the last day of a range: two presses, or arrow keys and Enter. */
export function RangeCalendar({ range, onChange, today, monthCount }: RangeCalendarProps) {
  const [month, setMonth] = useState(() => monthAfter((range?.last ?? today).slice(0, 7), 1 - monthCount));
  const [focused, setFocused] = useState(range?.last ?? today);
  /** The first of two presses. */
  const [begun, setBegun] = useState<string>();
  const [pointed, setPointed] = useState<string>();
  const body = useRef<HTMLDivElement>(null);
  const hasMoved = useRef(false);
  const months = Array.from({ length: monthCount }, (_, at) => monthAfter(month, at));
  const shown = begun === undefined ? range : ordered(begun, pointed ?? focused);
  // Where the month of the focused day is out of sight, the keyboard enters at the first day.
  const entry = months.includes(focused.slice(0, 7)) ? focused : `${month}-01`;

  useEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    body.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus();
  }, [focused]);

  function choose(day: string): void {
    setFocused(day);
    if (begun === undefined) return setBegun(day);
    setBegun(undefined);
    onChange(ordered(begun, day));
  }

  useShortcuts('Calendar', KEYS);
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && begun !== undefined) {
      setBegun(undefined);
    } else {
      const next = dayAfterKey(entry, event.key, event.shiftKey);
      if (next === undefined) return;
      hasMoved.current = true;
      setPointed(undefined);
      setFocused(next);
      if (!months.includes(next.slice(0, 7)))
        setMonth(next < entry ? next.slice(0, 7) : monthAfter(next.slice(0, 7), 1 - monthCount));
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div className={styles.calendar}>
      <div className={styles.turn}>
        <IconButton
          icon={ChevronLeft}
          size="sm"
          label="Previous month"
          onPress={() => setMonth(monthAfter(month, -1))}
        />
        <IconButton icon={ChevronRight} size="sm" label="Next month" onPress={() => setMonth(monthAfter(month, 1))} />
      </div>
      <div ref={body} className={styles.months}>
        {months.map((each) => (
          <div key={each}>
            <p className={styles.month} aria-live="polite">
              {MONTH.format(Date.parse(`${each}-01`))}
            </p>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- ARIA’s pattern of a calendar. */}
            <table role="grid" aria-label={MONTH.format(Date.parse(`${each}-01`))} onKeyDown={onKeyDown}>
              <thead aria-hidden>
                <tr>
                  {WEEKDAYS.map((name) => (
                    <th key={name}>{name}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {weeksOf(each).map((week) => (
                  <tr key={week.find((day) => day !== null)}>
                    {week.map((day, weekday) =>
                      day === null ? (
                        <td key={weekday} aria-hidden />
                      ) : (
                        <td
                          key={day}
                          aria-selected={isWithin(day, shown)}
                          data-first={day === shown?.first || undefined}
                          data-last={day === shown?.last || undefined}
                        >
                          <button
                            type="button"
                            className={styles.day}
                            data-day={day}
                            tabIndex={day === entry ? 0 : -1}
                            aria-label={DAY.format(Date.parse(day))}
                            aria-current={day === today ? 'date' : undefined}
                            onClick={() => choose(day)}
                            onPointerEnter={() => setPointed(day)}
                          >
                            {Number(day.slice(8))}
                          </button>
                        </td>
                      ),
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ))}
      </div>
      <p className={styles.hint} aria-live="polite">
        {begun === undefined ? 'Choose the first day.' : 'Choose the last day.'}
      </p>
    </div>
  );
}

const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const;
const MONTH = new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('en', { timeZone: 'UTC', dateStyle: 'full' });

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowLeft ArrowRight', label: 'Previous or next day' },
  { keys: 'ArrowUp ArrowDown', label: 'A week earlier or later' },
  { keys: 'PageUp PageDown', label: 'A month earlier or later, with Shift a year' },
  { keys: 'Enter', label: 'Choose the first day, then the last' },
];

function ordered(one: string, other: string): DayRange {
  return one <= other ? { first: one, last: other } : { first: other, last: one };
}

function isWithin(day: string, range: DayRange | undefined): boolean {
  return range !== undefined && day >= range.first && day <= range.last;
}
