import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronsDownUp, ChevronsUpDown, ListTree, Text } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { JsonValue } from '#base/json';
import { copyText } from '#ui/lib/clipboard.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { IconButton } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { Dialog } from '../dialog.tsx';
import { FindBar } from '../long-text/find-bar.tsx';
import { LongText } from '../long-text/long-text.tsx';
import { SegmentedControl } from '../segmented-control.tsx';
import { showToast } from '../toast.tsx';
import { formatJson } from './format-json.ts';
import { JsonRowView } from './json-row-view.tsx';
import {
  allContainers,
  isContainer,
  type JsonContainer,
  type JsonRow,
  linesBelow,
  listRows,
  openWithin,
  pathOf,
} from './json-rows.ts';
import { isRowOf, openAround, searchJson } from './json-search.ts';
import styles from './json-view.module.css';

/** See {@link JsonView}. */
export interface JsonViewProps {
  readonly value: JsonValue;
  /** Name for screen readers: `Output`. */
  readonly label: string;
}

/** JSON of any size as a tree of which only the rows in sight are in the page, or as text. */
export function JsonView({ value, label }: JsonViewProps) {
  const [form, setForm] = useState<'tree' | 'text'>('tree');
  const choice = (
    <SegmentedControl label="Format" items={FORMS} selectedKey={form} onSelectionChange={setForm} isIconOnly />
  );
  if (form === 'text') return <JsonText value={value} label={label} choice={choice} />;
  return <JsonTree value={value} label={label} choice={choice} />;
}

const FORMS = [
  { id: 'tree', label: 'Tree', icon: ListTree },
  { id: 'text', label: 'Text', icon: Text },
] as const;

const ROW_HEIGHT = 22;
const LINE_HEIGHT = 18;
/** Below the lines of a text. */
const LINES_GAP = 4;
/** So many rows are in sight at first without opening anything. */
const OPEN_ROWS = 60;
const PAGE = 15;

interface FormProps extends JsonViewProps {
  readonly choice: ReactNode;
}

function JsonText({ value, label, choice }: FormProps) {
  const text = useMemo(() => formatJson(value), [value]);
  return (
    <LongText text={text} label={label}>
      {choice}
    </LongText>
  );
}

function JsonTree({ value, label, choice }: FormProps) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<JsonContainer>>(() => openWithin(value, OPEN_ROWS));
  const [active, setActive] = useState(0);
  const [shownText, setShownText] = useState<JsonRow>();
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const searched = useDeferredValue(query);
  const rows = useMemo(() => listRows(value, open), [value, open]);
  const matches = useMemo(() => searchJson(value, searched), [value, searched]);
  const match = matches[current];
  const getItemKey = useMemo(() => keysOf(rows), [rows]);
  // oxlint-disable-next-line react/incompatible-library -- Nothing here is memoised by a compiler.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    // Other rows have other heights.
    getItemKey,
    overscan: 12,
  });
  useEffect(() => {
    if (match !== undefined) setOpen((before) => openAround(match, before));
  }, [match]);
  useEffect(() => {
    const row = match === undefined ? -1 : rows.findIndex((candidate) => isRowOf(candidate, match));
    if (row === -1) return;
    setActive(row);
    virtualizer.scrollToIndex(row, { align: 'center' });
  }, [match, rows, virtualizer]);

  const toggle = (row: JsonRow) => {
    if (!isContainer(row.value)) {
      if (typeof row.value === 'string') setShownText(row);
      return;
    }
    const next = new Set(open);
    if (!next.delete(row.value)) next.add(row.value);
    setOpen(next);
  };
  const moveTo = (index: number) => {
    const next = Math.min(Math.max(index, 0), rows.length - 1);
    setActive(next);
    virtualizer.scrollToIndex(next);
  };
  useShortcuts('JSON', KEYS);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    if (row === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowDown':
        moveTo(active + 1);
        break;
      case 'ArrowUp':
        moveTo(active - 1);
        break;
      case 'PageDown':
        moveTo(active + PAGE);
        break;
      case 'PageUp':
        moveTo(active - PAGE);
        break;
      case 'Home':
        moveTo(0);
        break;
      case 'End':
        moveTo(rows.length - 1);
        break;
      case 'ArrowRight':
        if (isContainer(row.value) && !row.isOpen) toggle(row);
        else moveTo(active + 1);
        break;
      case 'ArrowLeft':
        if (row.isOpen) toggle(row);
        else if (row.parent !== undefined) moveTo(rows.indexOf(row.parent));
        break;
      case 'Enter':
      case ' ':
        toggle(row);
        break;
      case 'c':
        copy(copyable(row.value), 'Value copied');
        break;
      case 'C':
        copy(pathOf(row), 'Path copied');
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.view}>
      <div className={styles.toolbar}>
        {choice}
        <IconButton icon={ChevronsUpDown} label="Expand all" size="sm" onPress={() => setOpen(allContainers(value))} />
        <IconButton
          icon={ChevronsDownUp}
          label="Collapse all"
          size="sm"
          onPress={() => {
            setOpen(openWithin(value, 1));
            setActive(0);
          }}
        />
        <span className={styles.gap} />
        <FindBar
          label={`Find in ${label}`}
          query={query}
          onQueryChange={(next) => {
            setQuery(next);
            setCurrent(0);
          }}
          count={matches.length}
          current={current}
          onCurrentChange={setCurrent}
        />
        <CopyButton text={() => formatJson(value)} label={`Copy ${label}`} />
      </div>
      <div
        ref={scroller}
        className={styles.scroller}
        role="tree"
        aria-label={label}
        aria-activedescendant={rows.length > 0 ? `${id}-${active}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div className={styles.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <JsonRowView
                key={index}
                id={`${id}-${index}`}
                row={row}
                top={start}
                height={heightOf(row)}
                query={searched}
                isActive={index === active}
                onPress={() => {
                  setActive(index);
                  toggle(row);
                }}
                onCopyValue={() => copy(copyable(row.value), 'Value copied')}
                onCopyPath={() => copy(pathOf(row), 'Path copied')}
              />
            );
          })}
        </div>
      </div>
      <Dialog
        title={shownText === undefined ? '' : pathOf(shownText) || label}
        size="lg"
        isOpen={shownText !== undefined}
        onOpenChange={() => setShownText(undefined)}
      >
        {typeof shownText?.value === 'string' && <LongText text={shownText.value} label="Value" />}
      </Dialog>
    </div>
  );
}

/** Another function for other rows: the virtualizer then asks for their heights. */
function keysOf(_rows: readonly JsonRow[]): (index: number) => number {
  return (index) => index;
}

function heightOf(row: JsonRow | undefined): number {
  const lines = row === undefined ? 0 : linesBelow(row);
  return lines === 0 ? ROW_HEIGHT : ROW_HEIGHT + lines * LINE_HEIGHT + LINES_GAP;
}

function copyable(value: JsonValue): string {
  return typeof value === 'string' ? value : formatJson(value);
}

function copy(text: string, done: string): void {
  copyText(text).then(
    () => showToast({ tone: 'success', title: done }),
    () => showToast({ tone: 'danger', title: 'The browser blocked copying' }),
  );
}

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowUp ArrowDown', label: 'Previous or next line' },
  { keys: 'ArrowLeft ArrowRight', label: 'Collapse or expand' },
  { keys: 'c', label: 'Copy the value' },
  { keys: 'Shift+C', label: 'Copy the path' },
];
