import type { ReactNode } from 'react';
import styles from './trace-header.module.css';

/** A short fact about a trace, in the list of its header. */
export function Fact(props: {
  readonly label: string;
  readonly title?: string | undefined;
  readonly tone?: 'danger' | 'info';
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.fact} title={props.title} data-tone={props.tone}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
