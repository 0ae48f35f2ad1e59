import { ArrowLeft, MapPinOff, TriangleAlert } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '#ui/components/button.tsx';
import { EmptyState } from '#ui/components/empty-state.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { Skeleton } from '#ui/components/skeleton.tsx';
import { SplitPane } from '#ui/components/split-pane.tsx';
import { VisuallyHidden } from '#ui/components/visually-hidden.tsx';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import { CompareToolbar } from './compare-toolbar.tsx';
import { CompareTree } from './compare-tree.tsx';
import styles from './compare-view.module.css';
import { PairDetails } from './pair-details.tsx';
import { TraceSummaries } from './trace-summary.tsx';
import { useCompareTree } from './use-compare-tree.ts';
import { type ComparedTrace, type TraceRef, useComparison } from './use-comparison.ts';

/** Narrower than this there is room for the rows or for a pair, not for both. */
const PHONE_PX = 720;
/** Wider than this a pair stands beside the rows, else below them. */
const BESIDE_PX = 1040;
/** Narrower than this the summaries leave out what the pages of the traces say. */
const ALL_FACTS_PX = 960;

/** See {@link CompareView}. */
export interface CompareViewProps {
  readonly a: TraceRef;
  readonly b: TraceRef;
  readonly onChange: (side: 'a' | 'b') => void;
  readonly onSwap: () => void;
}

/** Two traces: their figures, one tree of both, and the pair that is selected. */
export function CompareView({ a, b, onChange, onSwap }: CompareViewProps) {
  const comparison = useComparison(a, b);
  const tree = useCompareTree(comparison);
  const [hasDetails, setHasDetails] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const width = useElementWidth(body);
  useShortcuts('Comparison', [
    { keys: 'j', label: 'Next row', run: () => tree.stepRow(1) },
    { keys: 'k', label: 'Previous row', run: () => tree.stepRow(-1) },
    { keys: 'd', label: 'Next difference', run: () => tree.stepDifference('next') },
    { keys: 'Shift+D', label: 'Previous difference', run: () => tree.stepDifference('previous') },
    {
      keys: 'v',
      label: 'All spans, or differences alone',
      run: () => tree.setOnlyDifferences(!tree.isOnlyDifferences),
    },
  ]);
  const isPhone = width < PHONE_PX;
  const isBeside = width >= BESIDE_PX;
  return (
    <>
      <ProgressLine isActive={comparison.isLoading || !comparison.isWhole} label="Comparing" />
      {!(isPhone && hasDetails) && (
        <TraceSummaries
          comparison={comparison}
          hasAllFacts={width >= ALL_FACTS_PX}
          onChange={onChange}
          onSwap={onSwap}
        />
      )}
      {[comparison.a, comparison.b].map((trace, place) => (
        <TraceFailure key={place} trace={trace} side={place === 0 ? 'A' : 'B'} />
      ))}
      <div ref={body} className={styles.body}>
        {comparison.alignment.nodes.length === 0 ? (
          <Nothing isLoading={comparison.isLoading} traces={[comparison.a, comparison.b]} />
        ) : (
          width > 0 && (
            <SplitPane
              id={`compare.${isBeside ? 'beside' : 'below'}`}
              key={String(isBeside)}
              orientation={isBeside ? 'horizontal' : 'vertical'}
              defaultSize={isBeside ? 48 : 40}
              min={200}
              label="Resize the pair"
              only={isPhone ? (hasDetails ? 'secondary' : 'primary') : undefined}
              primary={
                <div className={styles.primary}>
                  <CompareToolbar comparison={comparison} tree={tree} />
                  {tree.rows.length === 0 ? (
                    <EmptyState title="These traces do not differ">
                      Every span has a partner that holds the same, and took about as long.
                    </EmptyState>
                  ) : (
                    <CompareTree
                      comparison={comparison}
                      tree={tree}
                      label="Spans of both traces"
                      onOpen={() => setHasDetails(true)}
                    />
                  )}
                </div>
              }
              secondary={
                <div className={styles.details}>
                  {isPhone && (
                    <Button
                      className={styles.back}
                      variant="ghost"
                      icon={ArrowLeft}
                      onPress={() => setHasDetails(false)}
                    >
                      All spans
                    </Button>
                  )}
                  <PairDetails node={tree.selected} a={a} b={b} />
                </div>
              }
            />
          )
        )}
      </div>
      <VisuallyHidden>
        <span aria-live="polite">{tree.announcement}</span>
      </VisuallyHidden>
    </>
  );
}

function TraceFailure({ trace, side }: { readonly trace: ComparedTrace; readonly side: 'A' | 'B' }) {
  const error = trace.state.error ?? trace.contents.error ?? null;
  if (error === null) return null;
  return (
    <output className={styles.failure}>
      <TriangleAlert size={14} aria-hidden />
      <span>
        {trace.state.error === null
          ? `The contents of trace ${side} could not be compared. `
          : `Trace ${side} could not be loaded. `}
        {error.message}
      </span>
      <Button size="sm" onPress={trace.retry}>
        Try again
      </Button>
    </output>
  );
}

function Nothing({ isLoading, traces }: { readonly isLoading: boolean; readonly traces: readonly ComparedTrace[] }) {
  if (isLoading && traces.every(({ state }) => state.phase !== 'failed')) {
    return (
      <div className={styles.skeleton} aria-hidden>
        {[62, 48, 55, 40, 51].map((width) => (
          <Skeleton key={width} width={`${width}%`} height="14px" />
        ))}
      </div>
    );
  }
  if (traces.some(({ state }) => state.phase === 'failed')) return null;
  return (
    <EmptyState icon={MapPinOff} title="These traces were deleted">
      They were deleted or moved to another project while you were viewing them.
    </EmptyState>
  );
}
