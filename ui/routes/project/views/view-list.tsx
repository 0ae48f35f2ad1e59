import { useNavigate } from '@tanstack/react-router';
import { Check, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useRelayEnvironment } from 'react-relay';
import type { ViewTable } from '#domain/saved-view';
import { Name } from '#ui/components/name.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { showToast } from '#ui/components/toast.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { revealHidden } from '#ui/lib/hidden-characters.ts';
import { indexAfterKey } from '#ui/lib/list-keys.ts';
import { NO_VIEW, useOpenView } from './open-view.ts';
import { listViewGroups, type ListedView } from './listed-views.ts';
import { readContent, type ViewItem } from './view-data.ts';
import styles from './views.module.css';

interface ViewListProps {
  readonly table: ViewTable;
  readonly views: readonly ViewItem[] | undefined;
  readonly shown: ViewItem | undefined;
  readonly onClose: () => void;
}

/** Finds a view by a part of its name and opens it. */
export function ViewList({ table, views, shown, onClose }: ViewListProps) {
  const [text, setText] = useState('');
  const [activeId, setActiveId] = useState(shown?.id);
  const listId = useId();
  const active = useRef<HTMLDivElement>(null);
  const groups = listViewGroups(views ?? [], { text, shown });
  const items = groups.flatMap((group) => group.items);
  const activeIndex = Math.max(
    0,
    items.findIndex(({ id }) => id === activeId),
  );
  const activeItem = items[activeIndex];
  const choose = useChoice(table, views ?? [], onClose);
  useEffect(() => {
    active.current?.scrollIntoView({ block: 'nearest' });
  }, [activeItem?.id]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const next = indexAfterKey(event.key, activeIndex, items.length);
    if (next !== undefined) setActiveId(items[next]?.id);
    else if (event.key === 'Enter' && activeItem !== undefined) choose(activeItem.id);
    else return;
    event.preventDefault();
  }

  const line = (item: ListedView) => (
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
      onClick={() => choose(item.id)}
    >
      <span className={styles.optionName} title={revealHidden(item.name)}>
        <Name>{item.name}</Name>
      </span>
      {item.detail !== '' && <span className={styles.detail}>{item.detail}</span>}
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
          aria-label="Search views by name"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={activeItem === undefined ? undefined : `${listId}-${activeIndex}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search views"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={styles.results}>
        <ProgressLine isActive={views === undefined} label="Loading views" />
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A datalist cannot be drawn. */}
        <div id={listId} role="listbox" aria-label="Views" className={styles.list}>
          {groups.map(({ label, items: own }, index) => (
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Within a listbox only a group stands.
            <div key={label} role="group" aria-labelledby={`${listId}-group-${index}`}>
              <div id={`${listId}-group-${index}`} className={styles.group} role="presentation">
                {label}
              </div>
              {own.map(line)}
            </div>
          ))}
        </div>
        {items.length === 0 && views !== undefined && (
          <p className={styles.note}>
            {text.trim() === ''
              ? 'There are no views yet. Save the filter, time range and columns of this table under a name to come back to them.'
              : 'No view name contains this.'}
          </p>
        )}
      </div>
      <VisuallyHidden>
        <span aria-live="polite">{views === undefined ? '' : `${items.length} views`}</span>
      </VisuallyHidden>
    </>
  );
}

/** Opens a view, or the table without one. */
function useChoice(table: ViewTable, views: readonly ViewItem[], onClose: () => void): (id: string) => void {
  const environment = useRelayEnvironment();
  const navigate = useNavigate();
  const open = useOpenView();
  return (id) => {
    onClose();
    if (id === NO_VIEW) {
      const hasDefault = views.some(({ isOwnDefault, isSharedDefault }) => isOwnDefault || isSharedDefault);
      void navigate({
        to: '.',
        // A bare address would open the default view.
        search: ({ range, start, end }) => ({ range, start, end, saved: hasDefault ? NO_VIEW : undefined }),
      });
      return;
    }
    const fail = (description: string) =>
      showToast({ tone: 'danger', title: 'The view could not be opened', description });
    readContent(environment, id)
      .then((content) => {
        if (content === null) fail('Somebody has deleted it, or made it personal.');
        else open({ id, table }, content);
      })
      .catch((error: unknown) => fail(describeError(error)));
  };
}
