import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import styles from './graph-canvas.module.css';
import { GraphEdges } from './graph-edges.tsx';
import { findLoops, type GraphNode } from './graph-model.ts';
import { GraphStep } from './graph-step.tsx';
import type { LaidOutGraph } from './use-graph-layout.ts';
import {
  type Direction,
  fitLegibly,
  fitWhole,
  isNear,
  nearestNode,
  panBy,
  revealNode,
  type Size,
  type Viewport,
  zoomAt,
} from './viewport.ts';

/** See {@link GraphCanvas}. */
export interface GraphCanvasProps {
  readonly laidOut: LaidOutGraph;
  /** The step that the selected span stands in. */
  readonly active: GraphNode | undefined;
  readonly onSelect: (node: GraphNode) => void;
}

/** Up to so many steps all are drawn, whatever is in sight. */
const ALL_DRAWN = 150;
const PAN_PX = 80;
const ZOOM = 1.25;

/** The drawing of a graph: it is moved by dragging, the wheel and the arrow keys, and enlarged with the buttons, mod and the wheel, `+` and `-`. */
export function GraphCanvas({ laidOut: { graph, layout }, active, onSelect }: GraphCanvasProps) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useSize(frame);
  const [moved, setMoved] = useState<Viewport>();
  const view = moved ?? fitLegibly(layout, size);
  const move = (change: (view: Viewport) => Viewport) =>
    setMoved((before) => change(before ?? fitLegibly(layout, size)));
  const zoom = (factor: number) => move((before) => zoomAt(before, factor, { x: size.width / 2, y: size.height / 2 }));
  const fit = () => setMoved(fitWhole(layout, size));
  const loops = findLoops(graph);
  useShortcuts('Graph', KEYS);
  useWheel(frame, move);
  const drag = useDrag(move);

  function onKeyDown(event: KeyboardEvent): void {
    const direction = DIRECTIONS[event.key];
    if (event.key === '+' || event.key === '=') zoom(ZOOM);
    else if (event.key === '-') zoom(1 / ZOOM);
    else if (event.key === '0') fit();
    else if (direction === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    else if (event.target === frame.current) move((before) => panBy(before, PANS[direction]));
    else step(direction);
    event.preventDefault();
    event.stopPropagation();
  }

  function step(direction: Direction): void {
    const next = active === undefined ? undefined : nearestNode(layout.nodes, active.id, direction);
    const node = graph.nodes.find(({ id }) => id === next);
    const at = next === undefined ? undefined : layout.nodes[next];
    if (node === undefined || at === undefined) return;
    move((before) => revealNode(before, at, size));
    onSelect(node);
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>('[data-step][tabindex="0"]')?.focus());
  }

  const drawsAll = graph.nodes.length <= ALL_DRAWN;
  const isDrawn = (id: string) => {
    const at = layout.nodes[id];
    return at !== undefined && (drawsAll || id === active?.id || isNear(view, size, [at]));
  };
  const nodes = graph.nodes.filter(({ id }) => isDrawn(id));
  const edges = graph.edges.filter(({ id }) => drawsAll || isNear(view, size, layout.edges[id] ?? []));
  return (
    <div className={styles.canvas}>
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role, jsx-a11y/no-noninteractive-element-interactions -- What can be moved must be within reach of the keyboard. */}
      <div
        ref={frame}
        className={styles.frame}
        role="group"
        aria-label={`Graph of ${graph.nodes.length} steps. The list says the same in words.`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        {...drag}
      >
        <div className={styles.layer} style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}>
          <GraphEdges edges={edges} layout={layout} loops={loops} active={active?.id} />
          {nodes.map((node, place) => (
            <GraphStep
              key={node.id}
              node={node}
              at={layout.nodes[node.id]}
              isActive={node === active}
              isReachable={node === active || (active === undefined && place === 0)}
              onSelect={onSelect}
            />
          ))}
        </div>
      </div>
      <div className={styles.zoom}>
        <IconButton icon={ZoomIn} size="sm" label="Enlarge" shortcut="+" onPress={() => zoom(ZOOM)} />
        <IconButton icon={ZoomOut} size="sm" label="Reduce" shortcut="-" onPress={() => zoom(1 / ZOOM)} />
        <IconButton icon={Maximize} size="sm" label="Show all of it" shortcut="0" onPress={fit} />
      </div>
    </div>
  );
}

/** Of an element, again whenever it changes. */
function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 1, height: 1 });
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return undefined;
    const observer = new ResizeObserver(() =>
      setSize({ width: Math.max(1, measured.clientWidth), height: Math.max(1, measured.clientHeight) }),
    );
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Moves with the wheel, and zooms with mod and the wheel, which is also what two fingers on a pad do. */
function useWheel(element: RefObject<HTMLElement | null>, move: (change: (view: Viewport) => Viewport) => void) {
  const latest = useRef(move);
  useEffect(() => {
    latest.current = move;
  });
  useEffect(() => {
    const target = element.current;
    if (target === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = target.getBoundingClientRect();
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      const isZoom = event.ctrlKey || event.metaKey;
      latest.current((view) =>
        isZoom ? zoomAt(view, Math.exp(-event.deltaY / 300), at) : panBy(view, { x: -event.deltaX, y: -event.deltaY }),
      );
    };
    // React's own listener may not keep the page from scrolling.
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element]);
}

function useDrag(move: (change: (view: Viewport) => Viewport) => void) {
  const last = useRef<{ readonly x: number; readonly y: number }>(undefined);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0 || (event.target as Element).closest('[data-step]') !== null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const before = last.current;
      if (before === undefined) return;
      last.current = { x: event.clientX, y: event.clientY };
      move((view) => panBy(view, { x: event.clientX - before.x, y: event.clientY - before.y }));
    },
    onPointerUp: () => {
      last.current = undefined;
    },
    onPointerCancel: () => {
      last.current = undefined;
    },
  };
}

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

const PANS = {
  left: { x: PAN_PX, y: 0 },
  right: { x: -PAN_PX, y: 0 },
  up: { x: 0, y: PAN_PX },
  down: { x: 0, y: -PAN_PX },
};

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowLeft ArrowRight', label: 'Go to the step beside; move the drawing' },
  { keys: '+', label: 'Enlarge' },
  { keys: '-', label: 'Reduce' },
  { keys: '0', label: 'Show all of it' },
];
