import type { ReactNode } from 'react';
import styles from './visually-hidden.module.css';

/** Says its content to screen readers alone. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
