import { useVirtualizer } from '@tanstack/react-virtual';
import { Braces, Maximize2, Table2 } from 'lucide-react';
import { Fragment, type ReactNode, type RefObject, useDeferredValue, useMemo, useState } from 'react';
import type { JsonObject } from '#base/json';
import { IconButton } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { Dialog } from '#ui/components/dialog.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { JsonView } from '#ui/components/json-view/json-view.tsx';
import { LongText } from '#ui/components/long-text/long-text.tsx';
import { withoutBase64 } from '#ui/components/long-text/base64-runs.ts';
import { Name } from '#ui/components/name.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { formatBytes } from '#ui/lib/format.ts';
import styles from './attributes-tab.module.css';
import { type AttributeRow, listAttributes, searchAttributes } from './model/flat-attributes.ts';

/** See {@link AttributesTab}. */
export interface AttributesTabProps {
  readonly attributes: JsonObject;
  /** By dotted path. */
  readonly derived: JsonObject;
  /** What scrolls the tab. */
  readonly scroller: RefObject<HTMLElement | null>;
}

const FORMS = [
  { id: 'table', label: 'Table', icon: Table2 },
  { id: 'json', label: 'JSON', icon: Braces },
] as const;

/** Everything the span carries, by its dotted names or as the JSON that it is. */
export function AttributesTab({ attributes, derived, scroller }: AttributesTabProps) {
  const [form, setForm] = useState<'table' | 'json'>('table');
  const [query, setQuery] = useState('');
  const searched = useDeferredValue(query);
  const rows = useMemo(() => listAttributes(attributes, derived), [attributes, derived]);
  const found = useMemo(() => searchAttributes(rows, searched), [rows, searched]);
  if (rows.length === 0) return <EmptyState title="No attributes">This span was sent without attributes.</EmptyState>;
  return (
    <div className={styles.tab}>
      <div className={styles.toolbar}>
        <SegmentedControl label="Format" items={FORMS} selectedKey={form} onSelectionChange={setForm} />
        {form === 'table' && (
          <>
            <SearchField
              label="Find attributes"
              placeholder="Find by name or value"
              value={query}
              onChange={setQuery}
              className={styles.search}
            />
            <output className={styles.count}>{query === '' ? '' : `${found.length} of ${rows.length}`}</output>
          </>
        )}
      </div>
      {form === 'json' ? (
        <JsonView value={attributes} label="attributes" />
      ) : found.length === 0 ? (
        <EmptyState title="No attribute matches">No name or value contains “{query}”.</EmptyState>
      ) : (
        <AttributeTable rows={found} scroller={scroller} />
      )}
    </div>
  );
}

interface AttributeTableProps {
  readonly rows: readonly AttributeRow[];
  readonly scroller: RefObject<HTMLElement | null>;
}

function AttributeTable({ rows, scroller }: AttributeTableProps) {
  const [opened, setOpened] = useState<AttributeRow>();
  // oxlint-disable-next-line react/incompatible-library -- Nothing here is memoised by a compiler.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 33,
    getItemKey: (index) => `${rows[index]?.name} ${rows[index]?.isDerived}`,
    overscan: 20,
    scrollMargin: TABLE_TOP,
  });
  return (
    <>
      <div className={styles.table}>
        <dl className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className={styles.row}
                style={{ transform: `translateY(${start - TABLE_TOP}px)` }}
              >
                <dt className={styles.name}>
                  {breakable(row.name)}
                  {row.isDerived && <span className={styles.derived}>derived</span>}
                </dt>
                <AttributeValue row={row} onOpen={() => setOpened(row)} />
              </div>
            );
          })}
        </dl>
      </div>
      <Dialog
        title={opened?.name ?? ''}
        size="lg"
        isOpen={opened !== undefined}
        onOpenChange={() => setOpened(undefined)}
      >
        {opened !== undefined && <LongText text={opened.text} label={opened.name} />}
      </Dialog>
    </>
  );
}

/** The name with places to break behind its dots. */
function breakable(name: string): ReactNode {
  return name.split('.').map((segment, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          .<wbr />
        </>
      )}
      <Name>{segment}</Name>
    </Fragment>
  ));
}

/** What stands above the table within what scrolls. */
const TABLE_TOP = 60;
const MAX_LETTERS = 240;

function AttributeValue({ row, onOpen }: { readonly row: AttributeRow; readonly onOpen: () => void }) {
  const isLong = row.text.length > MAX_LETTERS;
  const shown = isLong ? withoutBase64(row.text, ({ bytes }) => `[base64, ${formatBytes(bytes)}]`) : row.text;
  return (
    <dd className={styles.value}>
      <span className={styles.text} data-type={typeof row.value}>
        {shown.length > MAX_LETTERS ? `${shown.slice(0, MAX_LETTERS)}…` : shown}
      </span>
      <span className={styles.actions}>
        {isLong && (
          <IconButton
            icon={Maximize2}
            label={`Show all of ${row.name} (${formatBytes(row.text.length)})`}
            size="sm"
            onPress={onOpen}
          />
        )}
        <CopyButton text={row.text} label={`Copy ${row.name}`} />
      </span>
    </dd>
  );
}
