import { ChevronDown, ChevronUp, ListTree, TableProperties, Workflow } from 'lucide-react';
import { useDeferredValue, useMemo } from 'react';
import { Button, IconButton } from '#ui/components/button.tsx';
import { ErrorState } from '#ui/components/error-state.tsx';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { ProgressLine } from '#ui/components/progress-line.tsx';
import { SegmentedControl } from '#ui/components/segmented-control.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { createStored, useStored } from '#ui/lib/storage.ts';
import type { TraceTree } from '../use-trace-tree.ts';
import { GraphCanvas } from './graph-canvas.tsx';
import { GraphList } from './graph-list.tsx';
import { buildGraph, canExpand, type GraphMode, type GraphNode, MAX_GRAPH_NODES } from './graph-model.ts';
import styles from './graph-view.module.css';
import { useGraphLayout } from './use-graph-layout.ts';

const MODES = [
  { id: 'merged', label: 'Merged' },
  { id: 'expanded', label: 'Expanded' },
] as const;

const FORMS = [
  { id: 'drawing', label: 'Drawing', icon: Workflow },
  { id: 'list', label: 'List', icon: TableProperties },
] as const;

const storedMode = createStored<GraphMode>('trace.graph', 'merged', (value) =>
  value === 'merged' || value === 'expanded' ? value : undefined,
);
const storedForm = createStored<'drawing' | 'list'>('trace.graphForm', 'drawing', (value) =>
  value === 'drawing' || value === 'list' ? value : undefined,
);

/** See {@link GraphView}. */
export interface GraphViewProps {
  readonly tree: TraceTree;
  /** Called when the details of a span are wanted. */
  readonly onOpen: () => void;
  readonly onShowTree: () => void;
}

/** The steps of a trace as a graph, merged by name and kind or one by one; selecting a step selects a span of it. */
export function GraphView({ tree, onOpen, onShowTree }: GraphViewProps) {
  const mode = useStored(storedMode);
  const form = useStored(storedForm);
  const forest = useDeferredValue(tree.forest);
  const graph = useMemo(() => buildGraph(forest, mode), [forest, mode]);
  const { laidOut, isFailed } = useGraphLayout(graph);
  const active = tree.selected && graph.byKey.get(tree.selected.key);
  const drawnActive = tree.selected && laidOut?.graph.byKey.get(tree.selected.key);
  const select = (node: GraphNode) => {
    const first = node.calls[0];
    if (first === undefined) return;
    if (tree.selected === undefined || !node.calls.some(({ key }) => key === tree.selected?.key)) tree.select(first);
    onOpen();
  };
  return (
    <div className={styles.view}>
      <div className={styles.bar}>
        {canExpand(forest) && (
          <SegmentedControl label="Steps" items={MODES} selectedKey={graph.mode} onSelectionChange={storedMode.set} />
        )}
        <SegmentedControl label="Form" items={FORMS} selectedKey={form} onSelectionChange={storedForm.set} isIconOnly />
        <p className={styles.legend}>
          {form === 'drawing' && (
            <>
              <span data-line="call">calls</span>
              <span data-line="next">then</span>
              <span data-line="loop">loop</span>
            </>
          )}
        </p>
      </div>
      {!canExpand(forest) && (
        <output className={styles.message}>
          This trace has {formatExact(forest.nodes.length)} spans. Above {formatExact(MAX_GRAPH_NODES)}, the graph
          merges them by name and kind.
          {graph.hiddenCount > 0 && ` The ${formatExact(graph.hiddenCount)} rarest steps are left out.`}
        </output>
      )}
      {form === 'list' ? (
        <GraphList graph={graph} active={active} onSelect={select} />
      ) : isFailed ? (
        <ErrorState title="The graph could not be drawn">The list shows the same steps.</ErrorState>
      ) : laidOut === undefined ? (
        <ProgressLine isActive label="Drawing the graph" />
      ) : (
        <GraphCanvas key={laidOut.graph.mode} laidOut={laidOut} active={drawnActive} onSelect={select} />
      )}
      {active !== undefined && <Foot node={active} tree={tree} onShowTree={onShowTree} />}
    </div>
  );
}

/** The step that is selected, and the way through its spans. */
function Foot({ node, tree, onShowTree }: { readonly node: GraphNode } & Pick<GraphViewProps, 'tree' | 'onShowTree'>) {
  const { calls, name } = node;
  const place = calls.findIndex(({ key }) => key === tree.selected?.key);
  const go = (by: number) => {
    const next = calls[(place + by + calls.length) % calls.length];
    if (next !== undefined) tree.select(next);
  };
  return (
    <div className={styles.foot}>
      <KindIcon kind={node.kind} />
      <span className={styles.footName}>
        <Name>{name}</Name>
      </span>
      {calls.length > 1 && (
        <span className={styles.steps}>
          <output>
            Call {formatExact(place + 1)} of {formatExact(calls.length)}
          </output>
          <IconButton icon={ChevronUp} size="sm" label="Previous call" onPress={() => go(-1)} />
          <IconButton icon={ChevronDown} size="sm" label="Next call" onPress={() => go(1)} />
        </span>
      )}
      <Button
        size="sm"
        icon={ListTree}
        onPress={() => {
          if (calls.length > 1) tree.setFilter(name);
          onShowTree();
        }}
      >
        Show in tree
      </Button>
    </div>
  );
}
