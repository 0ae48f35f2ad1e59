import { formatDuration, formatExact } from '#ui/lib/format.ts';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './figure.module.css';

/** See {@link Duration}. */
export interface DurationProps {
  readonly ms: number | null | undefined;
  readonly className?: string | undefined;
}

/** How long something took; exact milliseconds in its title. */
export function Duration({ ms, className }: DurationProps) {
  return (
    <span className={classNames(styles.figure, className)} title={ms == null ? undefined : `${formatExact(ms)} ms`}>
      {formatDuration(ms)}
    </span>
  );
}
