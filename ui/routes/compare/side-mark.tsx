import styles from './side-mark.module.css';

/** Which of two traces: a letter, for colours alone say nothing to some. */
export function SideMark({ side }: { readonly side: 'A' | 'B' }) {
  return (
    <span className={styles.mark} data-side={side}>
      {side}
    </span>
  );
}
