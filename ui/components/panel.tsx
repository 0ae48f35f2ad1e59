import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import styles from './panel.module.css';

/** See {@link Panel}. */
export interface PanelProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** A region of a page that fills its place. */
export function Panel({ label, children, className }: PanelProps) {
  return (
    <section className={classNames(styles.panel, className)} aria-label={label}>
      {children}
    </section>
  );
}

/** See {@link Card}. */
export interface CardProps {
  readonly title: ReactNode;
  /** Stands at the end of the title, outside of what collapses the card. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly isCollapsible?: boolean;
  readonly defaultExpanded?: boolean;
  /** Folds it from outside, with {@link CardProps.onExpandedChange}. */
  readonly isExpanded?: boolean | undefined;
  readonly onExpandedChange?: ((isExpanded: boolean) => void) | undefined;
  readonly className?: string | undefined;
}

/** A titled block that can be folded away. */
export function Card({
  title,
  actions,
  children,
  isCollapsible = true,
  defaultExpanded = true,
  isExpanded: givenExpanded,
  onExpandedChange,
  className,
}: CardProps) {
  const [ownExpanded, setOwnExpanded] = useState(defaultExpanded);
  const isExpanded = givenExpanded ?? ownExpanded;
  const contentId = useId();
  const isShown = isExpanded || !isCollapsible;
  return (
    <section className={classNames(styles.card, className)}>
      <header className={styles.cardHeader}>
        <h3 className={styles.cardTitle}>
          {isCollapsible ? (
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={isExpanded}
              aria-controls={contentId}
              onClick={() => {
                setOwnExpanded(!isExpanded);
                onExpandedChange?.(!isExpanded);
              }}
            >
              <ChevronRight size={14} aria-hidden className={styles.chevron} />
              {title}
            </button>
          ) : (
            <span className={styles.toggle}>{title}</span>
          )}
        </h3>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      <div id={contentId} hidden={!isShown} className={styles.cardBody}>
        {isShown && children}
      </div>
    </section>
  );
}
