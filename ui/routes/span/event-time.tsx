import { createContext, useContext } from 'react';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { formatDuration } from '#ui/lib/format.ts';
import styles from './event-time.module.css';

/** When the span around began, ISO 8601. */
export const SpanStart = createContext<string | undefined>(undefined);

/** When something happened within a span: to the millisecond, and how long after the span began. */
export function EventTime({ value }: { readonly value: string | null | undefined }) {
  const start = useContext(SpanStart);
  const offsetMs = start === undefined || value == null ? Number.NaN : Date.parse(value) - Date.parse(start);
  return (
    <span className={styles.time}>
      {Number.isFinite(offsetMs) && <span title="After the start of the span">{formatOffset(offsetMs)}</span>}
      <Timestamp value={value} style="exact" />
    </span>
  );
}

/** Clocks differ: what a program logs may lie before its span. */
function formatOffset(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${formatDuration(Math.abs(ms))}`;
}
