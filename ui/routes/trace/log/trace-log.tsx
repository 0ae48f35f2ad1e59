import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useRelayEnvironment } from 'react-relay';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button } from '#ui/components/button.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { measureShown } from '#ui/lib/measure-shown.ts';
import { useHighlights } from '#ui/lib/use-highlights.ts';
import { SearchedText } from '#ui/routes/span/searched-text.ts';
import type { TreeNode } from '../model/forest.ts';
import type { TraceTree } from '../use-trace-tree.ts';
import { LogContents } from './log-contents.ts';
import { LogEntry } from './log-entry.tsx';
import { contentsReader } from './log-queries.ts';
import { occursIn } from './log-text.ts';
import styles from './trace-log.module.css';

const ESTIMATED_ENTRY_PX = 132;
/** Entries above and below what is seen whose contents are fetched already. */
const OVERSCAN_ENTRIES = 6;

/** Everything that the spans of a trace read and wrote, in the order of time. */
export function TraceLog({ tree, onOpen }: { readonly tree: TraceTree; readonly onOpen: () => void }) {
  const { forest, selected } = tree;
  const environment = useRelayEnvironment();
  const contents = useMemo(() => new LogContents(contentsReader(environment)), [environment]);
  const loaded = useSyncExternalStore(contents.subscribe, contents.getLoaded);
  const root = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const entries = useMemo(
    () => forest.nodes.filter(({ span }) => span !== null).toSorted((one, other) => one.startMs - other.startMs),
    [forest],
  );
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATED_ENTRY_PX,
    getItemKey: (index) => entries[index]?.key ?? index,
    measureElement: measureShown,
    overscan: OVERSCAN_ENTRIES,
  });
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    contents.want(entries.slice(first, last + 1).flatMap(({ span }) => span?.id ?? []));
  }, [contents, entries, first, last]);

  const selectedKey = selected?.key;
  useEffect(() => {
    const at = entries.findIndex(({ key }) => key === selectedKey);
    if (at > 0) virtualizer.scrollToIndex(at, { align: 'auto' });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [selectedKey]);

  const select = useCallback(
    (node: TreeNode) => {
      tree.select(node);
      onOpen();
    },
    [tree, onOpen],
  );
  const [query, setQuery] = useState('');
  const wanted = useDeferredValue(query.trim());
  useHighlights(root, wanted);
  const finds = useMemo(
    () => (wanted === '' ? [] : entries.filter((entry) => isFound(entry, loaded, wanted))),
    [entries, loaded, wanted],
  );
  function stepFind(): void {
    const at = entries.findIndex(({ key }) => key === selectedKey);
    const next = finds.find((entry) => entries.indexOf(entry) > at) ?? finds[0];
    if (next !== undefined) tree.select(next);
  }

  return (
    <div ref={root} className={styles.log}>
      <div className={styles.bar}>
        <SearchField
          label="Find in inputs and outputs"
          placeholder="Find in inputs and outputs"
          value={query}
          onChange={setQuery}
          onSubmit={stepFind}
          className={styles.search}
        />
        <output className={styles.count}>
          {wanted === '' ? '' : `${formatExact(finds.length)} of ${formatExact(loaded.size)} loaded`}
        </output>
        {wanted !== '' && loaded.size < entries.length && <ReadRest contents={contents} entries={entries} />}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keys scroll what has the focus. */}
      <section ref={scroller} className={styles.scroller} tabIndex={0} aria-label="Trace log">
        <SearchedText value={wanted}>
          <ol style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
            {items.map(({ index, start, key }) => {
              const node = entries[index];
              if (node?.span == null) return null;
              return (
                <li
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  aria-setsize={entries.length}
                  aria-posinset={index + 1}
                  className={styles.entry}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <LogEntry
                    node={node}
                    span={node.span}
                    sinceMs={node.startMs - forest.startMs}
                    content={loaded.get(node.span.id)}
                    isSelected={node.key === selectedKey}
                    onSelect={select}
                  />
                </li>
              );
            })}
          </ol>
        </SearchedText>
      </section>
    </div>
  );
}

function isFound({ span }: TreeNode, loaded: ReturnType<LogContents['getLoaded']>, query: string): boolean {
  const content = span === null ? undefined : loaded.get(span.id);
  return content !== undefined && occursIn(content, query);
}

/** Reads what nobody has looked at yet, so that it is searched too. */
function ReadRest({ contents, entries }: { readonly contents: LogContents; readonly entries: readonly TreeNode[] }) {
  const [work, setWork] = useState<AbortController | null>(null);
  useEffect(() => () => work?.abort(), [work]);
  function readAll(): void {
    const started = new AbortController();
    setWork(started);
    contents
      .fetchAll(
        entries.flatMap(({ span }) => span?.id ?? []),
        started.signal,
      )
      // The button comes back: what was read is searched, the rest can be asked for again.
      .catch(() => undefined)
      .finally(() => setWork(null));
  }
  if (work !== null)
    return (
      <Button onPress={() => work.abort()} size="sm" isPending>
        Stop
      </Button>
    );
  return (
    <Button size="sm" onPress={readAll}>
      Load and search all {formatExact(entries.length)}
    </Button>
  );
}
