import { CircleX, PanelRightOpen } from 'lucide-react';
import { memo, Suspense } from 'react';
import { Button } from '#ui/components/button.tsx';
import { Duration } from '#ui/components/duration.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { Timestamp } from '#ui/components/timestamp.tsx';
import { classNames } from '#ui/lib/class-names.ts';
import { formatTokens, formatUsd } from '#ui/lib/format.ts';
import { ModelCallTexts } from './model-call-texts.tsx';
import type { Turn } from './session-source.ts';
import { TurnTexts } from './turn-texts.tsx';
import styles from './turn-view.module.css';

/** See {@link TurnView}. */
export interface TurnViewProps {
  readonly turn: Turn;
  /** From 1, in the whole session. */
  readonly number: number;
  /** Whether its trace is shown beside the conversation. */
  readonly isSelected: boolean;
  /** Whether the search stands at it. */
  readonly isFound: boolean;
  readonly onOpen: (turn: Turn) => void;
}

/** One trace as what a person said and was answered; drawn again only when it changes, not with every row that is scrolled. */
export const TurnView = memo(function TurnView({ turn, number, isSelected, isFound, onOpen }: TurnViewProps) {
  const { input, output, errorCount } = turn;
  return (
    <article
      className={classNames(styles.turn, isSelected && styles.selected, isFound && styles.found)}
      aria-label={`Turn ${number}`}
      aria-current={isSelected || undefined}
    >
      <header className={styles.header}>
        <h3 className={styles.number}>{number}</h3>
        <p className={styles.facts}>
          <Timestamp value={turn.startTime} style="time" />
          <Duration ms={turn.latencyMs} />
          {turn.tokens > 0 && <span className={styles.tokens}>{formatTokens(turn.tokens)} tokens</span>}
          {turn.cost !== null && turn.cost > 0 && <span className={styles.tokens}>{formatUsd(turn.cost)}</span>}
          {errorCount > 0 && (
            <span className={styles.error}>
              <CircleX size={14} aria-hidden />
              {errorCount === 1 ? '1 error' : `${errorCount} errors`}
            </span>
          )}
        </p>
        <span className={styles.line} />
        <Button
          size="sm"
          variant="ghost"
          icon={PanelRightOpen}
          onPress={() => onOpen(turn)}
          aria-label={`Open the trace of turn ${number}`}
        >
          Trace
        </Button>
      </header>
      {input === null && output === null ? (
        <Suspense fallback={<Skeleton lines={2} />}>
          <ModelCallTexts traceNodeId={turn.id} version={turn.endTime} />
        </Suspense>
      ) : (
        <TurnTexts input={input} output={output} />
      )}
    </article>
  );
});
