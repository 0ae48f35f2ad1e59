import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

/** Facts below each other on a card: a label, a value, what to know about it, what can be done. */
export function FactList({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

/** See {@link Fact}. */
export interface FactProps {
  readonly label: string;
  readonly children: ReactNode;
  /** Said beside the value. */
  readonly note?: string | undefined;
  readonly action?: ReactNode;
}

/** One of a {@link FactList}. */
export function Fact({ label, children, note, action }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>
        <span className={styles.value}>{children}</span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </dd>
      {action !== undefined && <dd>{action}</dd>}
    </div>
  );
}
