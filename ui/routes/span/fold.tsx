import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import styles from './fold.module.css';

/** See {@link Fold}. */
export interface FoldProps {
  readonly title: ReactNode;
  /** Stands behind the title while it is closed: the beginning of what is inside. */
  readonly hint?: string | undefined;
  readonly children: ReactNode;
}

/** Something that is seldom read, behind its title. */
export function Fold({ title, hint, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <div className={styles.fold}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronRight size={13} aria-hidden className={styles.chevron} />
        <span className={styles.title}>{title}</span>
        {!isOpen && hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </button>
      <div id={id} hidden={!isOpen} className={styles.content}>
        {isOpen && children}
      </div>
    </div>
  );
}
