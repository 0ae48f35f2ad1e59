import { ChevronDown, ChevronUp } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { formatExact, nounOf } from '#ui/lib/format.ts';
import { ordinalOf } from '../trace/model/visible-rows.ts';
import styles from './compare-toolbar.module.css';
import type { CompareTree } from './use-compare-tree.ts';
import type { TraceComparison } from './use-comparison.ts';

const ROWS = [
  { id: 'all', label: 'All spans' },
  { id: 'differences', label: 'Differences' },
] as const;

/** Which rows are shown, how many of them differ, and the way from one to the next. */
export function CompareToolbar({
  comparison,
  tree,
}: {
  readonly comparison: TraceComparison;
  readonly tree: CompareTree;
}) {
  const { differing, changedCount, onlyLeftCount, onlyRightCount } = comparison.comparison;
  const at = ordinalOf(differing, tree.selected);
  const parts = [
    ...(changedCount > 0 ? [`${formatExact(changedCount)} changed`] : []),
    ...(onlyLeftCount > 0 ? [`${formatExact(onlyLeftCount)} only in A`] : []),
    ...(onlyRightCount > 0 ? [`${formatExact(onlyRightCount)} only in B`] : []),
  ];
  return (
    <div className={styles.bar}>
      <SegmentedControl
        label="Rows"
        items={ROWS}
        selectedKey={tree.isOnlyDifferences ? 'differences' : 'all'}
        onSelectionChange={(key) => tree.setOnlyDifferences(key === 'differences')}
      />
      <span className={styles.counts}>
        {comparison.isWhole ? parts.join(' · ') || 'No differences' : 'Comparing contents…'}
      </span>
      {differing.length > 0 && (
        <span className={styles.steps}>
          <span className={styles.at}>
            {at === 0
              ? `${formatExact(differing.length)} ${nounOf(differing.length, 'differences')}`
              : `${formatExact(at)} of ${formatExact(differing.length)}`}
          </span>
          <IconButton
            icon={ChevronUp}
            size="sm"
            label="Previous difference"
            shortcut="Shift+D"
            onPress={() => tree.stepDifference('previous')}
          />
          <IconButton
            icon={ChevronDown}
            size="sm"
            label="Next difference"
            shortcut="D"
            onPress={() => tree.stepDifference('next')}
          />
        </span>
      )}
    </div>
  );
}
