import {
  ChevronDown,
  ChevronsDownUp,
  ChevronsUpDown,
  ChevronUp,
  Columns3,
  GanttChart,
  ListTree,
  Logs,
  Timer,
  Workflow,
} from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { SearchField } from '#ui/components/search-field.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { ordinalOf } from './model/visible-rows.ts';
import type { TraceTree } from './use-trace-tree.ts';
import type { TraceView } from './trace-view.ts';
import styles from './trace-toolbar.module.css';

const VIEWS = [
  { id: 'tree', label: 'Tree', icon: ListTree },
  { id: 'timeline', label: 'Timeline', icon: GanttChart },
  { id: 'log', label: 'Log', icon: Logs },
  { id: 'time', label: 'Time', icon: Timer },
  { id: 'graph', label: 'Graph', icon: Workflow },
] as const;

/** The view of the trace, its filter, and navigation between its errors. */
export function TraceToolbar(props: {
  readonly tree: TraceTree;
  readonly view: TraceView;
  readonly onViewChange: (view: TraceView) => void;
  readonly hasMetrics: boolean;
  readonly onMetricsChange: (hasMetrics: boolean) => void;
}) {
  const { tree, view } = props;
  const isTree = view === 'tree' || view === 'timeline';
  return (
    <div className={styles.bar}>
      <SegmentedControl
        label="View"
        items={VIEWS}
        selectedKey={view}
        onSelectionChange={props.onViewChange}
        className={styles.views}
      />
      {isTree && <Filter tree={tree} />}
      <ErrorSteps tree={tree} />
      {isTree && (
        <span className={styles.tools}>
          <IconButton icon={ChevronsUpDown} size="sm" label="Expand all spans" onPress={tree.expandAll} />
          <IconButton icon={ChevronsDownUp} size="sm" label="Collapse all spans" onPress={tree.collapseAll} />
          {view === 'tree' && (
            <IconButton
              icon={Columns3}
              size="sm"
              label="Metrics"
              isPressed={props.hasMetrics}
              onPress={() => props.onMetricsChange(!props.hasMetrics)}
            />
          )}
        </span>
      )}
    </div>
  );
}

function Filter({ tree }: { readonly tree: TraceTree }) {
  const { matches, filter, texts } = tree;
  useShortcuts('Span filter', KEYS);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- The keys are those of the field inside.
    <span
      className={styles.filter}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        tree.stepMatch(event.shiftKey ? 'previous' : 'next');
      }}
    >
      <SearchField
        label="Filter spans by name, kind, model or text"
        placeholder="Filter spans"
        value={filter}
        onChange={tree.setFilter}
        className={styles.field}
      />
      {matches !== null && (
        <output className={styles.count}>
          {matches.length > 0 && `${formatExact(ordinalOf(matches, tree.selected))} of ${formatExact(matches.length)}`}
          {matches.length === 0 && (texts.isSearching ? 'searching' : 'no matches')}
          {texts.isIncomplete && <span title="The text of some spans could not be searched"> or more</span>}
        </output>
      )}
    </span>
  );
}

function ErrorSteps({ tree }: { readonly tree: TraceTree }) {
  const { failed } = tree.forest;
  if (failed.length === 0) return null;
  const at = ordinalOf(failed, tree.selected);
  return (
    <span className={styles.errors}>
      <span className={styles.errorCount}>
        {at === 0
          ? `${formatExact(failed.length)} ${failed.length === 1 ? 'error' : 'errors'}`
          : `Error ${formatExact(at)} of ${formatExact(failed.length)}`}
      </span>
      <IconButton
        icon={ChevronUp}
        size="sm"
        label="Previous error"
        shortcut="Shift+F"
        onPress={() => tree.stepError('previous')}
      />
      <IconButton icon={ChevronDown} size="sm" label="Next error" shortcut="F" onPress={() => tree.stepError('next')} />
    </span>
  );
}

const KEYS: readonly Shortcut[] = [
  { keys: 'Enter', label: 'Next match' },
  { keys: 'Shift+Enter', label: 'Previous match' },
];
