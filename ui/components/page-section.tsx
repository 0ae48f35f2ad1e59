import type { ReactNode } from 'react';
import styles from './page-section.module.css';

/** See {@link PageSection}. */
export interface PageSectionProps {
  readonly title: string;
  /** Stands beside the title. */
  readonly badge?: ReactNode;
  /** What the block is for. */
  readonly lead?: ReactNode;
  /** At the end of the title's line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A block of a page of facts. */
export function PageSection({ title, badge, lead, actions, children }: PageSectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {title}
          {badge}
        </h2>
        {actions}
      </div>
      {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      <div className={styles.body}>{children}</div>
    </section>
  );
}
