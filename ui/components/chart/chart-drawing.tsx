import { useMemo } from 'react';
import type { Selection } from './bucket-selection.ts';
import { type ShownSeries, stackBefore, type ChartKind } from './chart-data.ts';
import styles from './chart-drawing.module.css';
import { type ChartFrame, HEIGHT_PX, PLOT_TOP_PX } from './chart-frame.ts';
import { fillOf, PointMark } from './chart-mark.tsx';
import { barsPath, type Layer, linePath, markedPlaces, type Point, stepsPath, topsPath } from './chart-shapes.ts';

/** Marks of a line are this far apart. */
const MARKS_APART_PX = 72;

interface ChartDrawingProps {
  /** Of the chart's fills. */
  readonly id: string;
  readonly kind: ChartKind;
  readonly frame: ChartFrame;
  readonly series: readonly ShownSeries[];
  /** For bars, one for each series. */
  readonly layers: readonly (readonly Layer[])[];
  readonly isCompared: boolean;
  /** The bucket that is pointed at. */
  readonly pointed: number | null;
  readonly selection: Selection | undefined;
  readonly format: (value: number) => string;
}

/** The picture of a chart: lines of its axes, what is pointed at, series, and the time before as dashed lines. */
export function ChartDrawing(props: ChartDrawingProps) {
  const { id, kind, frame, series, layers, isCompared, pointed, selection, format } = props;
  const { width, plotLeft, groundY, edges } = frame;
  return (
    <svg className={styles.drawing} width={width} height={HEIGHT_PX} aria-hidden>
      <Axes frame={frame} format={format} />
      {selection !== undefined && <Columns frame={frame} {...selection} className={styles.selected} />}
      {pointed !== null && selection === undefined && (
        <Columns frame={frame} from={pointed} to={pointed} className={styles.pointed} />
      )}
      {kind === 'bars'
        ? series.map(({ label, color, place }, at) => (
            <g key={label} style={{ color: `var(${color})` }}>
              <path d={barsPath(layers[at] ?? [], edges, groundY)} fill={fillOf(id, place)} />
              <path d={topsPath(layers[at] ?? [], edges, groundY)} className={styles.top} />
            </g>
          ))
        : series.map((each) => <Line key={each.label} series={each} frame={frame} pointed={pointed} />)}
      {kind === 'bars' && isCompared && (
        <path
          className={styles.earlier}
          d={stepsPath(
            stackBefore(series).map((value) => (value === null ? null : frame.heightOf(value))),
            edges,
            groundY,
          )}
        />
      )}
      <path d={`M${plotLeft} ${groundY + 0.5}H${width}`} className={styles.ground} />
    </svg>
  );
}

function Axes({ frame, format }: Pick<ChartDrawingProps, 'frame' | 'format'>) {
  const { width, plotLeft, groundY, values, times, heightOf, xOf } = frame;
  return (
    <g className={styles.axes}>
      {values.map((value) => {
        const y = Math.round(groundY - heightOf(value)) + 0.5;
        return (
          <g key={value}>
            {value !== 0 && <path d={`M${plotLeft} ${y}H${width}`} />}
            <text x={plotLeft - 8} y={y} textAnchor="end" dominantBaseline="central">
              {format(value)}
            </text>
          </g>
        );
      })}
      {times.map(({ timeMs, label }) => (
        <text key={timeMs} x={xOf(timeMs)} y={HEIGHT_PX - 6} textAnchor="middle">
          {label}
        </text>
      ))}
    </g>
  );
}

function Columns(props: Selection & { readonly frame: ChartFrame; readonly className: string | undefined }) {
  const { frame, from, to, className } = props;
  const left = frame.columns[Math.min(from, to)]?.[0] ?? 0;
  const right = frame.columns[Math.max(from, to)]?.[1] ?? left;
  return (
    <rect className={className} x={left} y={PLOT_TOP_PX} width={right - left} height={frame.floorY - PLOT_TOP_PX} />
  );
}

interface LineProps {
  readonly series: ShownSeries;
  readonly frame: ChartFrame;
  readonly pointed: number | null;
}

function Line({ series, frame, pointed }: LineProps) {
  const { color, values, before, place } = series;
  const points = useMemo(() => pointsOf(values, frame), [values, frame]);
  const earlier = useMemo(() => (before === undefined ? undefined : pointsOf(before, frame)), [before, frame]);
  const here = pointed === null ? null : points[pointed];
  return (
    <g style={{ color: `var(${color})` }}>
      {earlier !== undefined && <path d={linePath(earlier)} className={styles.earlierLine} />}
      <path d={linePath(points)} className={styles.line} />
      {markedPlaces(points, MARKS_APART_PX).map((at) => {
        const point = points[at];
        return point && <PointMark key={at} place={place} {...point} />;
      })}
      {here && <PointMark place={place} {...here} />}
    </g>
  );
}

function pointsOf(values: readonly (number | null)[], { columns, groundY, heightOf }: ChartFrame): (Point | null)[] {
  return values.map((value, at) => {
    const [left, right] = columns[at] ?? [0, 0];
    return value === null ? null : { x: (left + right) / 2, y: groundY - heightOf(value) };
  });
}
