import { useCallback, useMemo, useRef, useState } from 'react';
import { Maximize2, Route, ZoomIn, ZoomOut } from 'lucide-react';
import { IconButton } from '#ui/components/button.tsx';
import { formatDuration } from '#ui/lib/format.ts';
import { useShortcuts } from '#ui/lib/shortcuts.ts';
import { useStored } from '#ui/lib/storage.ts';
import { findCriticalPath } from './model/critical-path.ts';
import type { TreeNode } from './model/forest.ts';
import { markPath } from './model/path-marks.ts';
import { listTicks } from './model/ticks.ts';
import { isWhole, panWindow, type TimeWindow, wholeWindow, windowShowing, zoomWindow } from './model/time-window.ts';
import { PathLine } from './path-line.tsx';
import { SpanTree } from './span-tree.tsx';
import { TimeBar } from './time-bar.tsx';
import { TimelineOverview } from './timeline-overview.tsx';
import { hasCriticalPath } from './trace-view.ts';
import { useTimelinePointer, ZOOM_STEP } from './use-timeline-pointer.ts';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import type { TraceTree } from './use-trace-tree.ts';
import styles from './timeline.module.css';

/** A mark of the axis takes about this much. */
const TICK_PX = 96;

/** The spans of a trace as bars over its time. */
export function Timeline(props: {
  readonly tree: TraceTree;
  readonly label: string;
  readonly linked: ReadonlySet<string>;
  readonly onOpen: () => void;
}) {
  const { tree } = props;
  const { forest, collapsed } = tree;
  const hasPath = useStored(hasCriticalPath);
  const findMark = useMemo(() => (hasPath ? markPath(forest, findCriticalPath(forest)) : null), [hasPath, forest]);
  const whole = useMemo(() => wholeWindow(forest.startMs, forest.endMs), [forest]);
  // Null: all of the trace, also as it grows.
  const [chosen, setChosen] = useState<TimeWindow | null>(null);
  const shown = chosen ?? whole;
  const show = (window: TimeWindow) => setChosen(isWhole(window, whole) ? null : window);
  const zoom = (factor: number, atMs = (shown.startMs + shown.endMs) / 2) =>
    show(zoomWindow(shown, whole, factor, atMs));

  const frame = useRef<HTMLDivElement>(null);
  const axis = useRef<HTMLDivElement>(null);
  const axisWidth = useElementWidth(axis);
  const ticks = listTicks(shown, forest.startMs, Math.max(2, Math.floor(axisWidth / TICK_PX)));
  useTimelinePointer(frame, axis, {
    onZoom: (factor, share) => zoom(factor, shown.startMs + share * (shown.endMs - shown.startMs)),
    onPan: (share) => show(panWindow(shown, whole, share * (shown.endMs - shown.startMs))),
  });
  useShortcuts('Timeline', [
    { keys: '+', label: 'Zoom in', run: () => zoom(ZOOM_STEP) },
    { keys: '=', label: 'Zoom in', run: () => zoom(ZOOM_STEP) },
    { keys: '-', label: 'Zoom out', run: () => zoom(1 / ZOOM_STEP) },
    { keys: '0', label: 'Show the whole trace', run: () => setChosen(null) },
    { keys: 'c', label: 'Highlight the critical path', run: () => hasCriticalPath.set(!hasPath) },
  ]);

  const [seen, setSeen] = useState(tree.selected);
  if (seen !== tree.selected) {
    setSeen(tree.selected);
    // What is selected by key, search or "next error" comes into sight in time too.
    const { selected } = tree;
    if (chosen !== null && selected !== undefined && seen?.key !== selected.key) {
      show(windowShowing(chosen, whole, selected.startMs, selected.endMs ?? forest.endMs));
    }
  }

  const renderLane = useCallback(
    (node: TreeNode) => {
      const mark = findMark?.(node, collapsed.has(node.key)) ?? null;
      return (
        <span className={styles.lane} data-aside={(findMark !== null && mark === null) || undefined}>
          <TimeBar node={node} window={shown} traceEndMs={forest.endMs} label={lengthOf(node)} />
          {mark !== null && <PathLine mark={mark} window={shown} />}
        </span>
      );
    },
    [shown, forest, collapsed, findMark],
  );
  return (
    <div className={styles.timeline} ref={frame}>
      <SpanTree
        tree={tree}
        label={props.label}
        linked={props.linked}
        indentPx={150}
        onOpen={props.onOpen}
        backdrop={
          <div className={styles.lines} aria-hidden>
            {ticks.map(({ atMs }) => (
              <span key={atMs} className={styles.line} style={{ left: `${place(atMs, shown)}%` }} />
            ))}
          </div>
        }
        header={
          <>
            <div className={styles.overview}>
              <div className={styles.tools}>
                <IconButton
                  icon={ZoomOut}
                  size="sm"
                  label="Zoom out"
                  shortcut="-"
                  onPress={() => zoom(1 / ZOOM_STEP)}
                />
                <IconButton icon={ZoomIn} size="sm" label="Zoom in" shortcut="+" onPress={() => zoom(ZOOM_STEP)} />
                <IconButton
                  icon={Maximize2}
                  size="sm"
                  label="Show the whole trace"
                  shortcut="0"
                  isDisabled={chosen === null}
                  onPress={() => setChosen(null)}
                />
                <IconButton
                  icon={Route}
                  size="sm"
                  label="Critical path: what the end of the trace waited for"
                  shortcut="c"
                  isPressed={hasPath}
                  onPress={() => hasCriticalPath.set(!hasPath)}
                />
              </div>
              <TimelineOverview forest={forest} whole={whole} shown={shown} onShow={show} />
            </div>
            <div className={styles.head}>
              <span className={styles.headName}>Span</span>
              <div className={styles.axis} ref={axis} aria-hidden>
                {ticks.map(({ atMs, label }) => (
                  <span key={atMs} className={styles.tick} style={{ left: `${place(atMs, shown)}%` }}>
                    {label}
                  </span>
                ))}
              </div>
            </div>
          </>
        }
        renderCells={renderLane}
      />
    </div>
  );
}

/** Percent of the window's width. */
function place(atMs: number, window: TimeWindow): number {
  return ((atMs - window.startMs) / (window.endMs - window.startMs)) * 100;
}

function lengthOf(node: TreeNode): string {
  if (node.span === null) return '';
  return node.endMs === null ? 'running' : formatDuration(node.endMs - node.startMs);
}
