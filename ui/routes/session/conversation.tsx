import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, CircleX, Moon } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { FindBar } from '#ui/components/long-text/find-bar.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { Spinner } from '#ui/components/spinner.tsx';
import { describeError } from '#ui/lib/describe-error.ts';
import { formatDuration } from '#ui/lib/format.ts';
import { measureShown } from '#ui/lib/measure-shown.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useHighlights } from '#ui/lib/use-highlights.ts';
import { setMessageFormat, useMessageFormat } from '#ui/routes/span/message-format.ts';
import { SearchedText } from '#ui/routes/span/searched-text.ts';
import styles from './conversation.module.css';
import { findTurns } from './model/find-turns.ts';
import { listConversationRows } from './model/turns.ts';
import type { SessionSource, SessionState, Turn } from './session-source.ts';
import { TurnView } from './turn-view.tsx';

/** See {@link Conversation}. */
export interface ConversationProps {
  readonly state: SessionState;
  readonly source: SessionSource;
  readonly selectedTraceId: string | undefined;
  readonly onSelectTrace: (traceId: string | null) => void;
}

/** What a turn is taken to be high before it is drawn. */
const TURN_HEIGHT = 240;
const PAUSE_HEIGHT = 36;
/** So many turns before the end, more are read. */
const READ_AHEAD = 10;

/** The turns of a session, of which only those in sight are in the page. */
export function Conversation({ state, source, selectedTraceId, onSelectTrace }: ConversationProps) {
  const { turns, isComplete, phase } = state;
  const root = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [hasErrorsOnly, setHasErrorsOnly] = useState(false);
  const [query, setQuery] = useState('');
  const [current, setCurrent] = useState(0);
  const searched = useDeferredValue(query);
  const rows = useMemo(
    () => listConversationRows(turns, ({ errorCount }) => !hasErrorsOnly || errorCount > 0),
    [turns, hasErrorsOnly],
  );
  const found = useMemo(() => findTurns(rows, searched), [rows, searched]);
  // oxlint-disable-next-line react/incompatible-library -- Nothing here is memoised by a compiler.
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === 'pause' ? PAUSE_HEIGHT : TURN_HEIGHT),
    getItemKey: (index) => {
      const row = rows[index];
      return row?.type === 'turn' ? row.turn.id : `pause ${index}`;
    },
    measureElement: measureShown,
    overscan: 4,
    paddingEnd: 24,
  });
  useHighlights(root, searched);
  const items = virtualizer.getVirtualItems();
  const lastShown = items.at(-1)?.index ?? 0;
  const foundRow = found[current];

  // What is searched or filtered must be known as a whole.
  const wantsAll = hasErrorsOnly || searched !== '';
  const wantsMore = !isComplete && phase === 'ready' && (wantsAll || lastShown >= rows.length - READ_AHEAD);
  useEffect(() => {
    if (wantsMore) source.loadMore();
  }, [wantsMore, source, turns]);
  useEffect(() => {
    if (foundRow !== undefined) virtualizer.scrollToIndex(foundRow, { align: 'start' });
  }, [foundRow, virtualizer]);

  const open = useCallback(
    ({ traceId }: Turn) => onSelectTrace(traceId === selectedTraceId ? null : traceId),
    [onSelectTrace, selectedTraceId],
  );
  const stepTurn = (by: 1 | -1, isWanted: (turn: Turn) => boolean) => {
    const at = rows.findIndex((row) => row.type === 'turn' && row.turn.traceId === selectedTraceId);
    for (let index = at === -1 && by === -1 ? rows.length - 1 : at + by; rows[index] !== undefined; index += by) {
      const row = rows[index];
      if (row?.type !== 'turn' || !isWanted(row.turn)) continue;
      onSelectTrace(row.turn.traceId);
      virtualizer.scrollToIndex(index, { align: 'start' });
      return;
    }
  };
  useShortcuts('Session', [
    { keys: ']', label: 'Open the trace of the next turn', run: () => stepTurn(1, () => true) },
    { keys: '[', label: 'Open the trace of the previous turn', run: () => stepTurn(-1, () => true) },
    { keys: '}', label: 'Next turn with an error', run: () => stepTurn(1, ({ errorCount }) => errorCount > 0) },
    { keys: '{', label: 'Previous turn with an error', run: () => stepTurn(-1, ({ errorCount }) => errorCount > 0) },
  ]);
  return (
    <div ref={root} className={styles.conversation}>
      <div className={styles.toolbar}>
        <Button
          size="sm"
          variant={hasErrorsOnly ? 'secondary' : 'ghost'}
          icon={CircleX}
          aria-pressed={hasErrorsOnly}
          onPress={() => {
            setHasErrorsOnly(!hasErrorsOnly);
            setCurrent(0);
          }}
        >
          Errors only
        </Button>
        <SegmentedControl
          label="Text format"
          items={[
            { id: 'markdown', label: 'Markdown' },
            { id: 'plain', label: 'Text' },
          ]}
          selectedKey={useMessageFormat()}
          onSelectionChange={setMessageFormat}
        />
        <span className={styles.gap} />
        {wantsAll && !isComplete && <Spinner label={`Loading turns, ${turns.length} so far`} />}
        <FindBar
          label="Find in the session"
          query={query}
          onQueryChange={(next) => {
            setQuery(next);
            setCurrent(0);
          }}
          count={found.length}
          current={current}
          onCurrentChange={setCurrent}
        />
        <Button
          size="sm"
          variant="ghost"
          icon={ArrowDown}
          aria-label="Go to the last turn"
          tooltip="Go to the last turn"
          onPress={() => virtualizer.scrollToIndex(rows.length - 1, { align: 'end' })}
        />
      </div>
      {phase === 'failed' && (
        <div className={styles.failure} role="alert">
          <span>The rest of the conversation could not be loaded: {describeError(state.error)}</span>
          <Button size="sm" onPress={source.retry}>
            Try again
          </Button>
        </div>
      )}
      {rows.length === 0 ? (
        <EmptyState
          title={isComplete ? 'No turn has an error' : 'Looking for errors'}
          action={<Button onPress={() => setHasErrorsOnly(false)}>Show all turns</Button>}
        />
      ) : (
        <div
          ref={scroller}
          className={styles.scroller}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be within reach of the keyboard.
          tabIndex={0}
          role="feed"
          aria-label="Conversation"
          aria-busy={phase === 'loading'}
        >
          <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
            {items.map(({ index, key, start }) => {
              const row = rows[index];
              return (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={styles.row}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {row?.type === 'pause' && (
                    <p className={styles.pause}>
                      <Moon size={12} aria-hidden /> {formatDuration(row.ms)} later
                    </p>
                  )}
                  {row?.type === 'turn' && (
                    <SearchedText value={searched}>
                      <TurnView
                        turn={row.turn}
                        number={row.number}
                        isSelected={row.turn.traceId === selectedTraceId}
                        isFound={index === foundRow}
                        onOpen={open}
                      />
                    </SearchedText>
                  )}
                </div>
              );
            })}
          </div>
        </div>
      )}
    </div>
  );
}
