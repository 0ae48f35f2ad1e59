import { Check, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { classNames } from '#ui/lib/class-names.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { indexAfterKey } from '#ui/lib/list-keys.ts';
import { Name } from '../name.tsx';
import { ProgressLine } from '../progress-line.tsx';
import { VisuallyHidden } from '../visually-hidden.tsx';
import styles from './search-list.module.css';

/** One of the things in the list. */
export interface SearchItem {
  readonly id: string;
  readonly name: string;
  /** Whether it is what the page shows now. */
  readonly isShown: boolean;
}

/** Items below one heading. */
export interface SearchGroup<Item extends SearchItem> {
  readonly label: string;
  readonly items: readonly Item[];
}

/** See {@link SearchList}. */
export interface SearchListProps<Item extends SearchItem> {
  /** What the items are, in the middle of a sentence: `projects`. */
  readonly noun: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** What the text leaves; groups without items are left out. */
  readonly groups: readonly SearchGroup<Item>[];
  readonly isLoading: boolean;
  /** Said in place of the items where there are none. */
  readonly empty: ReactNode;
  /** Before the name of an item. */
  readonly mark?: (item: Item) => ReactNode;
  /** After it. */
  readonly detail?: (item: Item) => ReactNode;
  readonly onChoose: (id: string) => void;
  /** Of the part that scrolls. */
  readonly className?: string | undefined;
}

/** A list that is searched by typing: the field keeps the focus and takes the keys. */
export function SearchList<Item extends SearchItem>(props: SearchListProps<Item>) {
  const { noun, text, onText, groups, isLoading, empty, onChoose } = props;
  const items = groups.flatMap((group) => group.items);
  const [activeId, setActiveId] = useState(() => items.find(({ isShown }) => isShown)?.id);
  const listId = useId();
  const active = useRef<HTMLDivElement>(null);
  const activeIndex = Math.max(
    0,
    items.findIndex(({ id }) => id === activeId),
  );
  const activeItem = items[activeIndex];
  useEffect(() => {
    active.current?.scrollIntoView({ block: 'nearest' });
  }, [activeItem?.id]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const next = indexAfterKey(event.key, activeIndex, items.length);
    if (next !== undefined) setActiveId(items[next]?.id);
    else if (event.key === 'Enter' && activeItem !== undefined) onChoose(activeItem.id);
    else return;
    event.preventDefault();
  }

  const line = (item: Item) => (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field keeps the focus and takes the keys.
    <div
      key={item.id}
      ref={item === activeItem ? active : undefined}
      id={`${listId}-${items.indexOf(item)}`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An option stands in a select alone.
      role="option"
      tabIndex={-1}
      aria-selected={item === activeItem}
      className={styles.option}
      onPointerMove={() => setActiveId(item.id)}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => onChoose(item.id)}
    >
      {props.mark?.(item)}
      <span className={styles.name} title={revealHidden(item.name)}>
        <Name>{item.name}</Name>
      </span>
      {props.detail?.(item)}
      {item.isShown && (
        <>
          <Check size={14} aria-hidden />
          <VisuallyHidden>, shown now</VisuallyHidden>
        </>
      )}
    </div>
  );

  return (
    <>
      <div className={styles.field}>
        <Search size={14} aria-hidden />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- It was opened to type into.
          autoFocus
          className={styles.input}
          role="combobox"
          aria-label={`Search ${noun} by name`}
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={activeItem === undefined ? undefined : `${listId}-${activeIndex}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder={`Search ${noun}`}
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={classNames(styles.results, props.className)}>
        <ProgressLine isActive={isLoading} label={`Loading ${noun}`} />
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A datalist cannot be drawn. */}
        <div id={listId} role="listbox" aria-label={capitalize(noun)} className={styles.list}>
          {groups.map(
            ({ label, items: own }, index) =>
              own.length > 0 && (
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Within a listbox only a group stands.
                <div key={label} role="group" aria-labelledby={`${listId}-group-${index}`}>
                  <div id={`${listId}-group-${index}`} className={styles.group} role="presentation">
                    {label}
                  </div>
                  {own.map(line)}
                </div>
              ),
          )}
        </div>
        {items.length === 0 && !isLoading && <p className={styles.empty}>{empty}</p>}
      </div>
      <VisuallyHidden>
        <span aria-live="polite">{isLoading ? '' : `${items.length} ${noun}`}</span>
      </VisuallyHidden>
    </>
  );
}

function capitalize(noun: string): string {
  return noun.slice(0, 1).toUpperCase() + noun.slice(1);
}
