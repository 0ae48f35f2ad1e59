import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { formatDuration } from '#ui/lib/format.ts';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import type { Forest } from './model/forest.ts';
import { listLanes } from './model/lanes.ts';
import { panWindow, type TimeWindow, windowBetween } from './model/time-window.ts';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import styles from './timeline-overview.module.css';

/** Lines of the strip; what does not fit is drawn over. */
const MAX_LANES = 12;
const HEIGHT_PX = 44;

/** All of a trace in a strip, with the part that is shown: dragging chooses another part. */
export function TimelineOverview(props: {
  readonly forest: Forest;
  readonly whole: TimeWindow;
  readonly shown: TimeWindow;
  readonly onShow: (window: TimeWindow) => void;
}) {
  const { forest, whole, shown, onShow } = props;
  const strip = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useElementWidth(strip);
  const from = useRef<number | null>(null);

  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context == null || width === 0) return undefined;
    const paint = () => draw(context, forest, whole, width);
    paint();
    const schemes = matchMedia('(prefers-color-scheme: dark)');
    const themes = new MutationObserver(paint);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    schemes.addEventListener('change', paint);
    return () => {
      themes.disconnect();
      schemes.removeEventListener('change', paint);
    };
  }, [forest, whole, width]);

  function timeAt(event: PointerEvent): number {
    const box = event.currentTarget.getBoundingClientRect();
    return whole.startMs + ((event.clientX - box.left) / box.width) * (whole.endMs - whole.startMs);
  }

  useShortcuts('Timeline', KEYS);
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowLeft: -0.1, ArrowRight: 0.1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onShow(panWindow(shown, whole, step * (shown.endMs - shown.startMs)));
  }

  const extent = whole.endMs - whole.startMs;
  const left = (shown.startMs - whole.startMs) / extent;
  const right = (shown.endMs - whole.startMs) / extent;
  return (
    <div
      ref={strip}
      className={styles.strip}
      data-overview
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An input has one end, this has two.
      role="slider"
      tabIndex={0}
      aria-label="Visible part of the trace"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(((left + right) / 2) * 100)}
      aria-valuetext={`${formatDuration(shown.startMs - whole.startMs)} to ${formatDuration(shown.endMs - whole.startMs)}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        from.current = timeAt(event);
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (from.current !== null) onShow(windowBetween(from.current, timeAt(event), whole));
      }}
      onPointerUp={(event) => {
        const began = from.current;
        from.current = null;
        // A click moves the part that is shown there.
        if (began === null || Math.abs(timeAt(event) - began) > extent / 200) return;
        const half = (right - left) * extent >= extent ? extent * 0.1 : ((right - left) * extent) / 2;
        onShow(windowBetween(began - half, began + half, whole));
      }}
    >
      <canvas ref={canvas} className={styles.canvas} width={width} height={HEIGHT_PX} />
      <span className={styles.shade} style={{ left: 0, width: `${left * 100}%` }} />
      <span className={styles.shade} style={{ left: `${right * 100}%`, right: 0 }} />
      <span className={styles.window} style={{ left: `${left * 100}%`, width: `${(right - left) * 100}%` }} />
    </div>
  );
}

function draw(context: CanvasRenderingContext2D, forest: Forest, whole: TimeWindow, width: number): void {
  const { canvas } = context;
  const scale = devicePixelRatio;
  canvas.width = width * scale;
  canvas.height = HEIGHT_PX * scale;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const style = getComputedStyle(canvas);
  const colours = { span: style.getPropertyValue('--span'), error: style.getPropertyValue('--error') };
  const lanes = listLanes(forest, MAX_LANES);
  const laneHeight = Math.min(6, (HEIGHT_PX - 8) / Math.max(1, lanes.count));
  const perMs = width / (whole.endMs - whole.startMs);
  for (const { node, lane } of lanes.bars) {
    const x = (node.startMs - whole.startMs) * perMs;
    const length = ((node.endMs ?? forest.endMs) - node.startMs) * perMs;
    context.fillStyle = node.span?.status === 'ERROR' ? colours.error : colours.span;
    context.fillRect(Math.min(x, width - 1), 4 + lane * laneHeight, Math.max(length, 1), Math.max(laneHeight - 1, 1));
  }
}

const KEYS: readonly Shortcut[] = [{ keys: 'ArrowLeft ArrowRight', label: 'Earlier or later, in the overview' }];
