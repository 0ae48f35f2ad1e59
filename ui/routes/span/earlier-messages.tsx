import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { formatExact } from '#ui/lib/format.ts';
import styles from './fold.module.css';
import { MAX_UNSEARCHED } from './model/find-messages.ts';

/** See {@link EarlierMessages}. */
export interface EarlierMessagesProps {
  readonly count: number;
  /** Stands behind the count while they are folded. */
  readonly hint: string | undefined;
  /** Something inside was found: it must be in sight. */
  readonly isWanted: boolean;
  readonly children: ReactNode;
}

/** The line that stands for the messages before the last input, and the messages behind it. */
export function EarlierMessages({ count, hint, isWanted, children }: EarlierMessagesProps) {
  const [isUnfolded, setIsUnfolded] = useState(false);
  // It stays open when the search goes on: nothing moves under the reader.
  if (isWanted && !isUnfolded) setIsUnfolded(true);
  const isOpen = isUnfolded || isWanted;
  const id = useId();
  return (
    <div>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsUnfolded(!isOpen)}
      >
        <ChevronRight size={13} aria-hidden className={styles.chevron} />
        <span className={styles.title}>{formatExact(count)} earlier messages</span>
        {!isOpen && hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </button>
      {/* The browser's own search finds what is folded, where there is no search of ours. */}
      <Hideable id={id} isShown={isOpen} onFound={() => setIsUnfolded(true)}>
        {(isOpen || count <= MAX_UNSEARCHED) && children}
      </Hideable>
    </div>
  );
}

interface HideableProps {
  readonly id: string;
  readonly isShown: boolean;
  readonly onFound: () => void;
  readonly children: ReactNode;
}

/** Hides its children from everything but the browser's search, which opens them. */
function Hideable({ id, isShown, onFound, children }: HideableProps) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    // React knows neither this value nor the event.
    if (!isShown) element.setAttribute('hidden', 'until-found');
    else element.removeAttribute('hidden');
    element.addEventListener('beforematch', onFound);
    return () => element.removeEventListener('beforematch', onFound);
  });
  return (
    <div id={id} ref={place} className={styles.content} hidden={!isShown}>
      {children}
    </div>
  );
}
