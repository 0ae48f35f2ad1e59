import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import styles from './fold.module.css';
import { useIsHiddenFind } from './searched-text.ts';

/** See {@link Fold}. */
export interface FoldProps {
  readonly title: ReactNode;
  /** Stands behind the title while it is closed: the beginning of what is inside. */
  readonly hint?: string | undefined;
  /** The hint is data of a program, not what somebody said. */
  readonly isCode?: boolean;
  /** Text inside that can be searched for: found there, it opens. */
  readonly searched?: string;
  readonly children: ReactNode;
}

/** Something that is seldom read, behind its title. */
export function Fold({ title, hint, isCode = false, searched = '', children }: FoldProps) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const isOpen = useIsHiddenFind(searched, '') || isUnfolded;
  const id = useId();
  return (
    <div className={styles.fold}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsUnfolded(!isOpen)}
      >
        <ChevronRight size={13} aria-hidden className={styles.chevron} />
        <span className={styles.title}>{title}</span>
        {!isOpen && hint !== undefined && (
          <span className={styles.hint} data-code={isCode || undefined}>
            {hint}
          </span>
        )}
      </button>
      <div id={id} hidden={!isOpen} className={styles.content}>
        {isOpen && children}
      </div>
    </div>
  );
}
