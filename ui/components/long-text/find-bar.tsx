import { ChevronDown, ChevronUp } from 'lucide-react';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { IconButton } from '../button.tsx';
import { SearchField } from '../search-field.tsx';
import { MAX_MATCHES } from './find-matches.ts';
import styles from './find-bar.module.css';

/** See {@link FindBar}. */
export interface FindBarProps {
  readonly label: string;
  readonly query: string;
  readonly onQueryChange: (query: string) => void;
  readonly count: number;
  /** Index of the match that is shown; meaningless without matches. */
  readonly current: number;
  readonly onCurrentChange: (index: number) => void;
}

/** Searches within something: how many matches there are, and the way from one to the next (Enter, Shift+Enter). */
export function FindBar({ label, query, onQueryChange, count, current, onCurrentChange }: FindBarProps) {
  const step = (by: number) => count > 0 && onCurrentChange((current + by + count) % count);
  useShortcuts('Find in text', KEYS);
  return (
    <div
      className={styles.bar}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        step(event.shiftKey ? -1 : 1);
      }}
    >
      <SearchField label={label} placeholder="Find" value={query} onChange={onQueryChange} className={styles.field} />
      <output className={styles.count}>
        {query === ''
          ? ''
          : count === 0
            ? 'No matches'
            : `${current + 1} of ${count >= MAX_MATCHES ? '10,000+' : count}`}
      </output>
      {count > 1 && (
        <>
          <IconButton icon={ChevronUp} label="Previous match" size="sm" onPress={() => step(-1)} />
          <IconButton icon={ChevronDown} label="Next match" size="sm" onPress={() => step(1)} />
        </>
      )}
    </div>
  );
}

const KEYS: readonly Shortcut[] = [
  { keys: 'Enter', label: 'Next match' },
  { keys: 'Shift+Enter', label: 'Previous match' },
];
