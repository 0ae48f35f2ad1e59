import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { SearchField } from '#ui/components/search-field.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Select } from '#ui/components/select.tsx';
import { NARROW, useMediaQuery } from '#ui/lib/media-query.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { MAX_SEARCH_LENGTH, scopeOf, SEARCH_SCOPES, type SearchAddress, type SearchScope } from './search-address.ts';
import styles from './search-page.module.css';

/** How scopes are called. */
export const SCOPE_LABELS: Readonly<Record<SearchScope, string>> = {
  everything: 'Everything',
  input: 'Input',
  output: 'Output',
  names: 'Names',
  errors: 'Errors',
};

const SCOPES = SEARCH_SCOPES.map((id) => ({ id, label: SCOPE_LABELS[id] }));

const ORDERS = [
  { id: 'newest', label: 'Newest first' },
  { id: 'best', label: 'Best match' },
] as const;

/** What is typed is searched for after a pause, or at once with Enter. */
const PAUSE_MS = 300;

interface SearchBarProps {
  readonly address: SearchAddress;
  readonly field: RefObject<HTMLInputElement | null>;
  /** The way from the field down to the hits. */
  readonly onDown: () => void;
}

/** What is searched for, where, and in which order; all of it is in the address. */
export function SearchBar({ address, field, onDown }: SearchBarProps) {
  const { q = '', scope = 'everything', order = 'newest' } = address;
  const navigate = useNavigate();
  const isNarrow = useMediaQuery(NARROW);
  const [text, setText] = useState(q);
  // A search that came another way, from the palette or by going back, stands in the field.
  const [known, setKnown] = useState(q);
  const [submitted, setSubmitted] = useState(q);
  if (known !== q) {
    setKnown(q);
    if (q !== submitted) {
      setText(q);
      setSubmitted(q);
    }
  }

  const go = (changes: SearchAddress) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changes }), replace: true });
  function submit(value: string): void {
    const next = value.trim().slice(0, MAX_SEARCH_LENGTH);
    if (next === q.trim()) return;
    setSubmitted(next);
    go({ q: next === '' ? undefined : next });
  }
  useShortcuts('Search', KEYS);
  const submitTyped = useEffectEvent(submit);
  useEffect(() => {
    const timer = setTimeout(() => submitTyped(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);

  return (
    <search className={styles.bar}>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- The keys are those of the field inside. */}
      <span
        className={styles.fieldPlace}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) submit(text);
          else if (event.key === 'ArrowDown') onDown();
          else return;
          event.preventDefault();
        }}
      >
        <SearchField
          label="Search the text of spans"
          placeholder={'Words, "a phrase", begin*, -without'}
          shortcut="/"
          value={text}
          onChange={setText}
          inputRef={field}
          className={styles.field}
        />
      </span>
      {isNarrow ? (
        <Select
          label="Search in"
          isLabelHidden
          items={SCOPES}
          selectedKey={scope}
          onSelectionChange={(key) => go({ scope: scopeOf(key) })}
          className={styles.scope}
        />
      ) : (
        <SegmentedControl
          label="Search in"
          items={SCOPES}
          selectedKey={scope}
          onSelectionChange={(key) => go({ scope: scopeOf(key) })}
        />
      )}
      <SegmentedControl<'newest' | 'best'>
        label="Order"
        items={ORDERS}
        selectedKey={order}
        onSelectionChange={(key) => go({ order: key === 'best' ? key : undefined })}
      />
    </search>
  );
}

const KEYS: readonly Shortcut[] = [
  { keys: 'Enter', label: 'Search' },
  { keys: 'ArrowDown', label: 'Go from the search field to the hits' },
];
