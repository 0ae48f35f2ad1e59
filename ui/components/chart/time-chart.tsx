import { Fragment, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Table2 } from 'lucide-react';
// First: uPlot formats in the browser's language when it is loaded.
import '#ui/lib/known-language.ts';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { IconButton } from '#ui/components/button.tsx';
import { formatTimestamp } from '#ui/lib/format.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { bucketAt, type ChartData, formatChange, stackBefore, stackSeries, totalsOf } from './chart-data.ts';
import styles from './time-chart.module.css';

/** See {@link TimeChart}. */
export interface TimeChartProps {
  readonly title: string;
  readonly kind: 'bars' | 'lines';
  readonly data: ChartData;
  readonly format: (value: number) => string;
  /** Told the stretch that was dragged over. */
  readonly onNarrow: (range: { readonly startMs: number; readonly endMs: number }) => void;
  /** Told the bucket that was pressed. */
  readonly onPick?: ((range: { readonly startMs: number; readonly endMs: number }) => void) | undefined;
}

const HEIGHT_PX = 168;
/** Of the line of times below. */
const AXIS_PX = 28;

/**
 * Series over time. Dragging narrows the time, pressing picks a bucket; the legend hides and shows series. A table says the
 * same to users who do not see the picture.
 */
export function TimeChart({ title, kind, data, format, onNarrow, onPick }: TimeChartProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [isTable, setIsTable] = useState(false);
  const titleId = useId();
  const toggle = (label: string) =>
    setHidden((before) =>
      before.has(label) ? new Set([...before].filter((other) => other !== label)) : new Set([...before, label]),
    );
  return (
    <figure className={styles.chart} aria-labelledby={titleId}>
      <figcaption className={styles.head}>
        <span id={titleId} className={styles.title}>
          {title}
        </span>
        <span className={styles.legend}>
          {data.series.map(({ label, color }) => (
            <button
              key={label}
              type="button"
              className={styles.entry}
              aria-pressed={!hidden.has(label)}
              onClick={() => toggle(label)}
            >
              <span className={styles.swatch} style={{ background: `var(${color})` }} aria-hidden />
              {label}
            </button>
          ))}
          {data.comparedWith !== undefined && <Comparison kind={kind} data={data} format={format} />}
        </span>
        <IconButton
          icon={Table2}
          size="sm"
          label={`Show ${title} as a table`}
          isPressed={isTable}
          onPress={() => setIsTable(!isTable)}
        />
      </figcaption>
      {isTable ? (
        <ChartTable title={title} data={data} format={format} />
      ) : (
        <Plot kind={kind} data={data} hidden={hidden} format={format} onNarrow={onNarrow} onPick={onPick} />
      )}
    </figure>
  );
}

/** What the fainter line is, and what the bars come to beside it. */
function Comparison({ kind, data, format }: Pick<TimeChartProps, 'kind' | 'data' | 'format'>) {
  const { now, before } = totalsOf(data.series);
  const change = formatChange(before, now);
  return (
    <span className={styles.compared} title={`Compared with ${data.comparedWith}`}>
      <span className={styles.line} data-kind={kind} aria-hidden />
      {kind === 'lines' ? 'Previous' : `Previous ${format(before)}, current ${format(now)}`}
      {kind === 'bars' && change !== undefined && <b>{change}</b>}
    </span>
  );
}

type PlotProps = Omit<TimeChartProps, 'title'> & { readonly hidden: ReadonlySet<string> };

function Plot({ kind, data, hidden, format, onNarrow, onPick }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const calls = useRef({ onNarrow, onPick });
  useEffect(() => {
    calls.current = { onNarrow, onPick };
  });
  const zone = useTimeZone();
  const [hover, setHover] = useState<number | null>(null);
  const shown = useMemo(() => data.series.filter(({ label }) => !hidden.has(label)), [data, hidden]);
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const color = (name: string) => getComputedStyle(host).getPropertyValue(name);
    const tops = kind === 'bars' ? stackSeries(shown) : shown.map(({ values }) => values);
    // The highest layer is drawn first, so that the lower ones stand before it.
    const order = kind === 'bars' ? tops.map((_, at) => tops.length - 1 - at) : tops.map((_, at) => at);
    const earlier = data.comparedWith === undefined ? [] : earlierLines(kind, shown);
    const axis = {
      stroke: color('--color-text-muted'),
      grid: { stroke: color('--color-border'), width: 1 },
      ticks: { show: false },
    };
    const chart = new uPlot(
      {
        width: host.clientWidth,
        height: HEIGHT_PX,
        legend: { show: false },
        cursor: { drag: { x: true, y: false, setScale: false }, points: { show: kind === 'lines' } },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
        scales: {
          x: { range: [(data.timesMs[0] ?? data.endMs) / 1000, data.endMs / 1000] },
          y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.05 : 1] },
        },
        axes: [
          {
            ...axis,
            size: AXIS_PX,
            values: (_chart, splits, _axis, _space, increment) => formatSplits(splits, increment ?? 0, zone),
          },
          { ...axis, size: 56, values: (_chart, splits) => splits.map((value) => format(value)) },
        ],
        series: [
          {},
          ...order.map((at) => ({
            label: shown[at]?.label ?? '',
            stroke: color(shown[at]?.color ?? ''),
            width: kind === 'lines' ? 1.5 : 0,
            ...(kind === 'bars' && {
              fill: color(shown[at]?.color ?? ''),
              paths: uPlot.paths.bars?.({ size: [0.82, 48], align: 1 }),
            }),
            points: { show: kind === 'lines' && data.timesMs.length < 3 },
          })),
          ...earlier.map((line) => ({
            stroke: color(line.color),
            alpha: line.alpha,
            width: kind === 'lines' ? 1.5 : 1,
            dash: line.dash,
            ...(kind === 'bars' && { paths: uPlot.paths.stepped?.({ align: 1 }) }),
            points: { show: kind === 'lines' && data.timesMs.length < 3 },
          })),
        ] as uPlot.Series[],
        hooks: {
          setCursor: [({ cursor }) => setHover(cursor.idx ?? null)],
          setSelect: [
            (self) => {
              const { left, width } = self.select;
              if (width < MIN_DRAG_PX) return;
              calls.current.onNarrow({
                startMs: self.posToVal(left, 'x') * 1000,
                endMs: self.posToVal(left + width, 'x') * 1000,
              });
            },
          ],
        },
      },
      [
        data.timesMs.map((ms) => ms / 1000),
        ...order.map((at) => [...(tops[at] ?? [])]),
        ...earlier.map(({ values }) => [...values]),
      ],
      host,
    );
    const press = () => {
      const at = chart.cursor.idx;
      if (at != null && chart.select.width < MIN_DRAG_PX) calls.current.onPick?.(bucketAt(data, at));
    };
    chart.over.addEventListener('click', press);
    const watcher = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: HEIGHT_PX }));
    watcher.observe(host);
    return () => {
      watcher.disconnect();
      chart.destroy();
    };
  }, [kind, data, shown, zone, format]);
  return (
    <div className={styles.plot}>
      <div ref={place} aria-hidden />
      {hover !== null && data.timesMs[hover] !== undefined && (
        <div className={styles.hover} aria-hidden>
          <span>{formatTimestamp(data.timesMs[hover], zone, 'time')}</span>
          {shown.map(({ label, values, before }) => (
            <span key={label}>
              {label} <b>{figure(values[hover], format)}</b>
              {before !== undefined && `, previous ${figure(before[hover], format)}`}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

/** The time before: of bars all layers in one line, of lines one for each. */
function earlierLines(kind: TimeChartProps['kind'], shown: ChartData['series']) {
  if (kind === 'bars') return [{ values: stackBefore(shown), color: '--color-text-muted', alpha: 0.8, dash: [] }];
  return shown.map(({ before = [], color }) => ({ values: before, color, alpha: 0.6, dash: [4, 3] }));
}

function figure(value: number | null | undefined, format: (value: number) => string): string {
  return value == null ? '–' : format(value);
}

/** Days where the lines stand days apart, else times, with the day where it begins. */
function formatSplits(splits: readonly number[], incrementSeconds: number, timeZone: string): string[] {
  const day = new Intl.DateTimeFormat('en', { timeZone, month: 'short', day: 'numeric' });
  const time = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return splits.map((seconds) => {
    const clock = time.format(seconds * 1000);
    return incrementSeconds >= DAY_SECONDS || clock === '00:00' ? day.format(seconds * 1000) : clock;
  });
}

const DAY_SECONDS = 86_400;

/** A press that slips this far is still a press. */
const MIN_DRAG_PX = 6;

function ChartTable({ title, data, format }: Pick<TimeChartProps, 'title' | 'data' | 'format'>) {
  const zone = useTimeZone();
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be reached by the keyboard.
    <section className={styles.table} aria-label={`${title} as a table`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            {data.series.map(({ label, before }) => (
              <Fragment key={label}>
                <th scope="col">{label}</th>
                {before !== undefined && <th scope="col">{label}, previous</th>}
              </Fragment>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.timesMs.map((timeMs, place) => (
            <tr key={timeMs}>
              <th scope="row">{formatTimestamp(timeMs, zone, 'time')}</th>
              {data.series.map(({ label, values, before }) => (
                <Fragment key={label}>
                  <td>{figure(values[place], format)}</td>
                  {before !== undefined && <td className={styles.before}>{figure(before[place], format)}</td>}
                </Fragment>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
