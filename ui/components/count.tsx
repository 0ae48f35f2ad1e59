import { formatCount, formatExact } from '#ui/lib/format.ts';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './figure.module.css';

/** See {@link Count}. */
export interface CountProps {
  readonly value: number | null | undefined;
  readonly className?: string | undefined;
}

/** A number in three figures; all of them in its title. */
export function Count({ value, className }: CountProps) {
  return (
    <span className={classNames(styles.figure, className)} title={value == null ? undefined : formatExact(value)}>
      {formatCount(value)}
    </span>
  );
}
