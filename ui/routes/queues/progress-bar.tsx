import { formatExact } from '#ui/lib/format.ts';
import styles from './progress-bar.module.css';

/** See {@link ProgressBar}. */
export interface ProgressBarProps {
  readonly doneCount: number;
  readonly itemCount: number;
}

/** How much of a queue is done. */
export function ProgressBar({ doneCount, itemCount }: ProgressBarProps) {
  return (
    <span className={styles.progress}>
      <progress className={styles.bar} aria-label="Done" value={doneCount} max={Math.max(itemCount, 1)} />
      <span className={styles.count}>
        {formatExact(doneCount)} / {formatExact(itemCount)}
      </span>
    </span>
  );
}
