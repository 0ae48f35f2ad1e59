import styles from './skeleton.module.css';

/** See {@link Skeleton}. */
export interface SkeletonProps {
  readonly width?: number | string;
  readonly height?: number | string;
  /** That many lines of text, the last one shorter. */
  readonly lines?: number;
}

/** Keeps the place of what is being loaded, in its size. */
export function Skeleton({ width = '100%', height = '1em', lines = 1 }: SkeletonProps) {
  return (
    <span className={styles.skeleton} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={styles.bar} style={{ width: isShort(line, lines) ? '62%' : width, height }} />
      ))}
    </span>
  );
}

function isShort(line: number, lines: number): boolean {
  return lines > 1 && line === lines - 1;
}
