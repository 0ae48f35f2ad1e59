import { classNames } from '#ui/lib/class-names.ts';
import { formatTimestamp, type TimestampStyle } from '#ui/lib/format.ts';
import { useNow } from '#ui/lib/now.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import styles from './figure.module.css';

/** See {@link Timestamp}. */
export interface TimestampProps {
  /** ISO 8601. */
  readonly value: string | null | undefined;
  readonly style?: TimestampStyle;
  readonly className?: string | undefined;
}

/** A time in the zone that the person chose; written in full in its title. */
export function Timestamp({ value, style = 'relative', className }: TimestampProps) {
  const zone = useTimeZone();
  const nowMs = useNow();
  if (value == null) return <span className={className}>–</span>;
  return (
    <time
      className={classNames(styles.figure, className)}
      dateTime={value}
      title={formatTimestamp(value, zone, 'full', nowMs)}
    >
      {formatTimestamp(value, zone, style, nowMs)}
    </time>
  );
}
