import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './state.module.css';

/** See {@link EmptyState}. */
export interface EmptyStateProps {
  readonly icon?: LucideIcon;
  /** What is not here. */
  readonly title: string;
  /** Why, and what would bring it. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** Stands where a list or a panel has nothing to show. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {Icon !== undefined && <Icon size={22} strokeWidth={1.5} aria-hidden className={styles.icon} />}
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
