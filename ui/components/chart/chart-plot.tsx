import { type FocusEvent, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react';
import { type Shortcut, useShortcuts } from '#ui/lib/shortcuts.ts';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { useElementWidth } from '#ui/lib/use-element-width.ts';
import { type Selection, selectionAfterKey } from './bucket-selection.ts';
import { type ChartData, type ShownSeries, type Stretch, stretchOf, totalAt, type ChartKind } from './chart-data.ts';
import { ChartDrawing } from './chart-drawing.tsx';
import { type ChartFrame, frameOf } from './chart-frame.ts';
import styles from './chart-plot.module.css';
import { type Layer, layersOf, placeAt } from './chart-shapes.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import type { Quantity } from './quantity.ts';

/** What a chart lets users do with its time. */
export interface ChartActions {
  /** Told the stretch that was dragged over. */
  readonly onNarrow: (stretch: Stretch) => void;
  /** Told the bucket that was pressed and, where one was, the series by its place in the chart's data. */
  readonly onPick?: ((stretch: Stretch, series: number | null) => void) | undefined;
  /** What a press leads to, as `traces`. */
  readonly pickNoun?: string | undefined;
}

interface ChartPlotProps extends ChartActions {
  /** Of the chart's fills. */
  readonly id: string;
  readonly title: string;
  readonly kind: ChartKind;
  readonly data: ChartData;
  readonly shown: readonly ShownSeries[];
  readonly quantity: Quantity;
}

/** A bucket that is pointed at, or that the keys have reached. */
interface Pointed {
  readonly place: number;
  /** By its place in the chart's data. */
  readonly series: number | null;
  /** Where the tooltip stands, within the window; null: at the bucket. */
  readonly at: { readonly x: number; readonly y: number } | null;
}

/** A press that slips this far is still a press. */
const MIN_DRAG_PX = 6;
/** A line is meant from this far. */
const REACH_PX = 14;

/** The picture of a chart, with what pointer and keys do there. */
export function ChartPlot(props: ChartPlotProps) {
  const { id, title, kind, data, shown, quantity, onNarrow, onPick, pickNoun } = props;
  const zone = useTimeZone();
  const host = useRef<HTMLDivElement>(null);
  const width = useElementWidth(host);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const [selection, setSelection] = useState<Selection>();
  const drag = useRef<{ readonly x: number; readonly place: number; readonly wasPointed: boolean }>(null);
  const isStacked = kind === 'bars';
  const frame = useMemo(
    () => frameOf(data, shown, { width, isStacked, quantity, zone }),
    [data, shown, width, isStacked, quantity, zone],
  );
  const layers = useMemo(() => (isStacked ? layersOf(shown, frame.heightOf) : []), [isStacked, shown, frame]);
  const count = data.timesMs.length;
  const place = pointed === null ? null : Math.min(pointed.place, count - 1);

  function locate(event: PointerEvent<HTMLDivElement>): Pointed {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const found = placeAt(event.clientX - left, frame.columns);
    return {
      place: found,
      series: seriesAt(found, event.clientY - top, shown, frame, layers),
      at: { x: event.clientX, y: event.clientY },
    };
  }

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const here = locate(event);
    drag.current = { x: event.clientX, place: here.place, wasPointed: pointed?.place === here.place };
    setPointed(here);
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>): void {
    const here = locate(event);
    setPointed(here);
    const begun = drag.current;
    if (begun !== null && (selection !== undefined || Math.abs(event.clientX - begun.x) >= MIN_DRAG_PX))
      setSelection({ from: begun.place, to: here.place });
  }

  function onPointerUp(event: PointerEvent<HTMLDivElement>): void {
    const begun = drag.current;
    drag.current = null;
    if (begun === null) return;
    if (selection !== undefined) return narrow(selection);
    // A finger cannot point: its first press shows the figures.
    if (event.pointerType === 'touch' && !begun.wasPointed) return;
    const here = locate(event);
    onPick?.(stretchOf(data, here.place), here.series);
  }

  function narrow({ from, to }: Selection): void {
    setSelection(undefined);
    setPointed(null);
    onNarrow(stretchOf(data, from, to));
  }

  function release(): void {
    drag.current = null;
    setSelection(undefined);
    setPointed(null);
  }

  useShortcuts('Charts', KEYS);
  function onKeyDown(event: KeyboardEvent): void {
    const here = pointed ?? { place: count - 1, series: null, at: null };
    if (event.key === 'Enter') {
      if (selection !== undefined && selection.from !== selection.to) narrow(selection);
      else onPick?.(stretchOf(data, here.place), here.series);
    } else if (event.key === 'Escape' && pointed !== null) release();
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown')
      setPointed({ ...here, series: stepSeries(shown, here.series, event.key === 'ArrowUp' ? 1 : -1), at: null });
    else {
      const next = selectionAfterKey(
        selection ?? { from: here.place, to: here.place },
        event.key,
        event.shiftKey,
        count,
      );
      if (next === undefined) return;
      setSelection(event.shiftKey ? next : undefined);
      setPointed({ ...here, place: next.to, at: null });
    }
    event.preventDefault();
    event.stopPropagation();
  }

  function onFocus({ currentTarget }: FocusEvent): void {
    if (pointed === null && currentTarget.matches(':focus-visible'))
      setPointed({ place: count - 1, series: null, at: null });
  }

  const stretch =
    selection === undefined ? stretchOf(data, place ?? count - 1) : stretchOf(data, selection.from, selection.to);
  const isRange = selection !== undefined && selection.from !== selection.to;
  return (
    <div
      ref={host}
      className={styles.plot}
      data-pickable={onPick !== undefined || undefined}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A place on a picture, which no input is.
      role="slider"
      tabIndex={0}
      aria-label={`${title}: arrow keys move, Shift extends the selection, Enter ${pickNoun === undefined ? 'narrows the time range' : `lists the ${pickNoun} or narrows the time range`}`}
      aria-valuemin={0}
      aria-valuemax={count - 1}
      aria-valuenow={place ?? count - 1}
      aria-valuetext={
        isRange
          ? `${formatStretch(stretch, zone)} selected`
          : describe(props, place ?? count - 1, pointed?.series ?? null, zone)
      }
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={release}
      onPointerLeave={({ pointerType }) => {
        if (pointerType !== 'touch' && drag.current === null) setPointed(null);
      }}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
      onBlur={release}
    >
      {width > 0 && (
        <ChartDrawing
          id={id}
          kind={kind}
          frame={frame}
          series={shown}
          layers={layers}
          isCompared={data.comparedWith !== undefined}
          pointed={place}
          selection={isRange || drag.current !== null ? selection : undefined}
          format={quantity.formatTick}
        />
      )}
      {pointed !== null && place !== null && (
        <ChartTooltip
          id={id}
          kind={kind}
          series={shown}
          quantity={quantity}
          place={place}
          stretch={isRange ? stretch : stretchOf(data, place)}
          pointed={pointed.series}
          hint={
            isRange
              ? undefined
              : hintOf(pickNoun, pointed.series === null ? undefined : data.series[pointed.series]?.label)
          }
          {...(pointed.at ?? middleOf(host.current, frame, place))}
        />
      )}
    </div>
  );
}

const KEYS: readonly Shortcut[] = [
  { keys: 'ArrowLeft ArrowRight', label: 'Earlier or later' },
  { keys: 'ArrowUp ArrowDown', label: 'Another series' },
  { keys: 'Shift+ArrowLeft ArrowRight', label: 'Extend the selection' },
  { keys: 'Enter', label: 'List what is in the bucket, or show the selected time range' },
];

/** The series below the pointer: the layer of a bar, or the line that is near. */
function seriesAt(
  place: number,
  y: number,
  shown: readonly ShownSeries[],
  { groundY, heightOf }: ChartFrame,
  layers: readonly (readonly Layer[])[],
): number | null {
  const height = groundY - y;
  if (layers.length > 0) {
    const at = layers.findIndex((layer) => {
      const { from = 0, to = 0 } = layer[place] ?? {};
      return to > from && height >= from && height <= to;
    });
    return shown[at]?.place ?? null;
  }
  let nearest: number | null = null;
  let reach = REACH_PX;
  for (const { values, place: own } of shown) {
    const value = values[place];
    const distance = value == null ? Number.POSITIVE_INFINITY : Math.abs(heightOf(value) - height);
    if (distance <= reach) [nearest, reach] = [own, distance];
  }
  return nearest;
}

function stepSeries(shown: readonly ShownSeries[], current: number | null, step: 1 | -1): number | null {
  const at = shown.findIndex(({ place }) => place === current);
  if (at < 0) return (step === 1 ? shown[0] : shown.at(-1))?.place ?? null;
  return shown[at + step]?.place ?? null;
}

function hintOf(noun: string | undefined, series: string | undefined): string | undefined {
  if (noun === undefined) return undefined;
  return series === undefined ? `Click to list the ${noun}` : `Click to list the ${noun}: ${series}`;
}

function middleOf(host: HTMLElement | null, { columns }: ChartFrame, place: number) {
  const { left = 0, top = 0 } = host?.getBoundingClientRect() ?? {};
  const [from, to] = columns[place] ?? [0, 0];
  return { x: left + (from + to) / 2, y: top + 60 };
}

function formatStretch({ startMs, endMs }: Stretch, zone: string): string {
  const [start, end] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
  return formatTimeRange({ kind: 'between', start, end }, zone);
}

function describe(
  { kind, data, shown, quantity }: ChartPlotProps,
  place: number,
  series: number | null,
  zone: string,
): string {
  const time = formatStretch(stretchOf(data, place), zone);
  const told = series === null ? shown : shown.filter((each) => each.place === series);
  const values = told.map(({ label, values, before }) => {
    const [now, earlier] = [values[place], before?.[place]].map((value) =>
      value == null ? 'nothing' : quantity.format(value),
    );
    return before === undefined ? `${label} ${now}` : `${label} ${now}, previous ${earlier}`;
  });
  if (kind === 'bars' && told.length > 1) values.push(`total ${quantity.format(totalAt(shown, place))}`);
  return `${time}: ${values.join('; ')}`;
}
