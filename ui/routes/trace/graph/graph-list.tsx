import { Fragment } from 'react';
import { KindIcon } from '#ui/components/kind-icon.tsx';
import { Name } from '#ui/components/name.tsx';
import { formatExact } from '#ui/lib/format.ts';
import { findLoops, type GraphEdge, type GraphNode, type TraceGraph } from './graph-model.ts';
import styles from './graph-view.module.css';

/** See {@link GraphList}. */
export interface GraphListProps {
  readonly graph: TraceGraph;
  readonly active: GraphNode | undefined;
  readonly onSelect: (node: GraphNode) => void;
}

/** Rows beyond these say that there are more. */
const MAX_ROWS = 500;

/** The graph in words: each step with what it calls and what follows it. */
export function GraphList({ graph, active, onSelect }: GraphListProps) {
  const names = new Map(graph.nodes.map(({ id, name }) => [id, name]));
  const outgoing = Map.groupBy(graph.edges, ({ from }) => from);
  const loops = findLoops(graph);
  const targets = (id: string, kind: GraphEdge['kind']) => (
    <Targets edges={(outgoing.get(id) ?? []).filter((edge) => edge.kind === kind)} names={names} loops={loops} />
  );
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className={styles.caption}>
          What each step calls, and what begins when it has ended. A loop leads back to an earlier step.
        </caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" className={styles.figure}>
              Calls
            </th>
            <th scope="col" className={styles.figure}>
              Errors
            </th>
            <th scope="col">Calls to</th>
            <th scope="col">Then</th>
          </tr>
        </thead>
        <tbody>
          {graph.nodes.slice(0, MAX_ROWS).map((node) => (
            <tr key={node.id} data-active={node === active}>
              <th scope="row">
                <button
                  type="button"
                  className={styles.name}
                  aria-pressed={node === active}
                  onClick={() => onSelect(node)}
                >
                  <KindIcon kind={node.kind} />
                  <Name>{node.name}</Name>
                </button>
              </th>
              <td className={styles.figure}>{formatExact(node.calls.length)}</td>
              <td className={styles.figure}>{node.errorCount === 0 ? '–' : formatExact(node.errorCount)}</td>
              <td>{targets(node.id, 'call')}</td>
              <td>{targets(node.id, 'next')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {graph.nodes.length > MAX_ROWS && (
        <p className={styles.caption}>{formatExact(graph.nodes.length - MAX_ROWS)} more steps are not listed.</p>
      )}
    </div>
  );
}

interface TargetsProps {
  readonly edges: readonly GraphEdge[];
  readonly names: ReadonlyMap<string, string>;
  readonly loops: ReadonlySet<string>;
}

function Targets({ edges, names, loops }: TargetsProps) {
  if (edges.length === 0) return '–';
  return edges.slice(0, MAX_TARGETS).map(({ id, to, count }, place) => (
    <Fragment key={id}>
      {place > 0 && ', '}
      <Name>{names.get(to) ?? ''}</Name>
      {count > 1 && ` ×${formatExact(count)}`}
      {loops.has(id) && ' (loop)'}
      {place === MAX_TARGETS - 1 &&
        edges.length > MAX_TARGETS &&
        ` and ${formatExact(edges.length - MAX_TARGETS)} more`}
    </Fragment>
  ));
}

const MAX_TARGETS = 12;
