import { type LinkProps, useNavigate, useParams } from '@tanstack/react-router';
import {
  Activity,
  Bookmark,
  Boxes,
  GitCompareArrows,
  Keyboard,
  type LucideIcon,
  MessagesSquare,
  Monitor,
  Moon,
  Search,
  SlidersHorizontal,
  Sun,
  X,
} from 'lucide-react';
import { type KeyboardEvent, type Ref, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { IconButton } from '#ui/components/button.tsx';
import { Kbd } from '#ui/components/kbd.tsx';
import { Name } from '#ui/components/name.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { nounOf } from '#ui/lib/format.ts';
import { indexAfterKey } from '#ui/lib/list-keys.ts';
import { type RecentItem, recentKey, useRecentItems } from '#ui/lib/recent.ts';
import { setTheme } from '#ui/lib/theme.ts';
import type { ShellWindow } from '../navigation.tsx';
import { PLACES } from '../places.ts';
import { listProjectPages } from './project-pages.ts';
import { listAccountItems } from './account-items.ts';
import { type Findable, findItems, PALETTE_GROUPS } from './palette-items.ts';
import { listTextSearches } from './text-searches.ts';
import { usePaletteSearch } from './use-palette-search.ts';
import { useViewItems } from './view-items.ts';
import styles from './palette.module.css';

/** See {@link Palette}. */
export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onOpen: (window: ShellWindow) => void;
}

interface PaletteItem extends Findable {
  readonly icon: LucideIcon;
  readonly detail?: string;
  readonly shortcut?: string;
  readonly run: () => void;
}

/** Finds by a few letters, or by a pasted id, what to go to or to do. */
export function Palette({ isOpen, onOpenChange, onOpen }: PaletteProps) {
  return (
    <ModalOverlay className={styles.overlay} isOpen={isOpen} onOpenChange={onOpenChange} isDismissable data-modal>
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog} aria-label="Search">
          <PaletteContent onClose={() => onOpenChange(false)} onOpen={onOpen} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

interface PaletteContentProps {
  readonly onClose: () => void;
  readonly onOpen: (window: ShellWindow) => void;
}

function PaletteContent({ onClose, onOpen }: PaletteContentProps) {
  const [text, setText] = useState('');
  const [activeId, setActiveId] = useState<string>();
  const listId = useId();
  const active = useRef<HTMLDivElement>(null);
  const { items, isSearching, isFailed } = usePaletteItems(text, onOpen);
  // What arrives before the chosen item leaves it chosen.
  const activeIndex = Math.max(
    0,
    items.findIndex(({ id }) => id === activeId),
  );
  const activeItem = items[activeIndex];

  useEffect(() => {
    active.current?.scrollIntoView({ block: 'nearest' });
  }, [activeItem?.id]);

  function choose(item: PaletteItem): void {
    onClose();
    item.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const next = indexAfterKey(event.key, activeIndex, items.length);
    if (next !== undefined) setActiveId(items[next]?.id);
    else if (event.key === 'Enter' && activeItem !== undefined) choose(activeItem);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className={styles.field}>
        <Search size={16} aria-hidden />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- It was opened to type into.
          autoFocus
          className={styles.input}
          role="combobox"
          aria-label="Search or paste an id"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={activeItem === undefined ? undefined : `${listId}-${items.indexOf(activeItem)}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Search, or paste the id of a trace, span or session"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton icon={X} label="Close" shortcut="Escape" size="sm" onPress={onClose} />
      </div>
      <div className={styles.results}>
        <ProgressLine isActive={isSearching} label="Searching" />
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A datalist cannot be drawn. */}
        <div id={listId} role="listbox" aria-label="Results" className={styles.list}>
          {PALETTE_GROUPS.map((group, groupIndex) => {
            const own = items.filter((item) => item.group === group);
            if (own.length === 0) return null;
            return (
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- Within a listbox only a group stands.
              <div key={group} role="group" data-group={group} aria-labelledby={`${listId}-group-${groupIndex}`}>
                <div id={`${listId}-group-${groupIndex}`} className={styles.group} role="presentation">
                  {group}
                </div>
                {own.map((item) => (
                  <PaletteLine
                    key={item.id}
                    id={`${listId}-${items.indexOf(item)}`}
                    item={item}
                    ref={item === activeItem ? active : undefined}
                    isActive={item === activeItem}
                    onPoint={() => setActiveId(item.id)}
                    onChoose={() => choose(item)}
                  />
                ))}
              </div>
            );
          })}
        </div>
        {items.length === 0 && !isSearching && (
          <p className={styles.nothing}>
            {isFailed
              ? 'The server is not responding. Only pages and actions are listed.'
              : 'No results. Enter part of a project’s name, or a whole id.'}
          </p>
        )}
      </div>
      <VisuallyHidden>
        <span aria-live="polite">{isSearching ? '' : `${items.length} ${nounOf(items.length, 'results')}`}</span>
      </VisuallyHidden>
    </>
  );
}

interface PaletteLineProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isActive: boolean;
  readonly ref: Ref<HTMLDivElement> | undefined;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function PaletteLine({ id, item, isActive, ref, onPoint, onChoose }: PaletteLineProps) {
  const { icon: Icon, label, detail, shortcut } = item;
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- The field keeps the focus and takes the keys.
    <div
      ref={ref}
      id={id}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An option stands in a select alone.
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={styles.line}
      // Under a resting pointer the list may move without being pointed at.
      onPointerMove={onPoint}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon size={15} aria-hidden />
      <span className={styles.label}>
        <Name>{label}</Name>
      </span>
      {detail !== undefined && (
        <span className={styles.detail}>
          <Name>{detail}</Name>
        </span>
      )}
      {shortcut !== undefined && <Kbd keys={shortcut} />}
    </div>
  );
}

const KIND_ICONS = { project: Boxes, trace: Activity, span: Activity, session: MessagesSquare };

function usePaletteItems(text: string, onOpen: (window: ShellWindow) => void) {
  const navigate = useNavigate();
  const { found, isSearching, isFailed } = usePaletteSearch(text);
  const recent = useRecentItems();
  const { projectId, traceId } = useParams({ strict: false });
  const views = useViewItems(projectId);
  const go = (link: LinkProps) => () => void navigate(link);
  const items: readonly PaletteItem[] = [
    ...recent.map(
      (item): PaletteItem => ({
        id: recentKey(item),
        group: 'Recent',
        icon: KIND_ICONS[item.kind],
        label: item.title,
        detail: item.kind === 'project' ? 'Project' : item.projectName,
        keywords: `${item.kind} ${item.projectName}`,
        run: go(linkTo(item)),
      }),
    ),
    ...found.map(
      ({ link, kind, ...item }): PaletteItem => ({
        ...item,
        icon: KIND_ICONS[kind],
        run: go(link),
      }),
    ),
    ...PLACES.map(
      ({ id, label, icon, keywords, shortcut, to }): PaletteItem => ({
        id,
        group: 'Pages',
        label,
        icon,
        ...(keywords !== undefined && { keywords }),
        ...(shortcut !== undefined && { shortcut: shortcut.keys }),
        run: go({ to }),
      }),
    ),
    ...listAccountItems().map((item): PaletteItem => ({ ...item, run: 'to' in item ? go({ to: item.to }) : item.run })),
    ...views.map(({ link, ...item }): PaletteItem => ({ ...item, icon: Bookmark, run: go(link) })),
    ...listProjectPages(recent, projectId).map(({ link, ...item }): PaletteItem => ({ ...item, run: go(link) })),
    ...(traceId === undefined
      ? []
      : [
          {
            id: 'compare',
            group: 'Actions' as const,
            icon: GitCompareArrows,
            label: 'Compare this trace with…',
            keywords: 'difference diff side by side',
            run: go({ to: '/compare/traces', search: { b: traceId } }),
          },
        ]),
    ...THEME_ACTIONS.map(
      (action): PaletteItem => ({ ...action, group: 'Actions', keywords: 'switch mode appearance' }),
    ),
    {
      id: 'preferences',
      group: 'Actions',
      icon: SlidersHorizontal,
      label: 'Change theme or time zone',
      keywords: 'preferences settings',
      shortcut: 'g s',
      run: () => onOpen('preferences'),
    },
    {
      id: 'shortcuts',
      group: 'Actions',
      icon: Keyboard,
      label: 'Show the shortcuts for this screen',
      keywords: 'keyboard help',
      shortcut: '?',
      run: () => onOpen('shortcuts'),
    },
    ...listTextSearches(text, recent, projectId).map(({ link, ...item }): PaletteItem => ({ ...item, run: go(link) })),
  ];
  return { items: findItems(items, text), isSearching, isFailed };
}

const THEME_ACTIONS = [
  { id: 'light', icon: Sun, label: 'Use the light theme', run: () => setTheme('light') },
  { id: 'dark', icon: Moon, label: 'Use the dark theme', run: () => setTheme('dark') },
  { id: 'system', icon: Monitor, label: 'Use the system theme', run: () => setTheme('system') },
];

function linkTo(item: RecentItem): LinkProps {
  const { projectId } = item;
  switch (item.kind) {
    case 'project':
      return { to: '/projects/$projectId', params: { projectId } };
    case 'trace':
      return { to: '/projects/$projectId/traces/$traceId', params: { projectId, traceId: item.traceId } };
    case 'session':
      return { to: '/projects/$projectId/sessions/$sessionId', params: { projectId, sessionId: item.sessionId } };
    default:
      return item satisfies never;
  }
}
