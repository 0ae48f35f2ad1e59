import { useLayoutEffect, useRef } from 'react';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { type ShownSeries, type Stretch, totalAt, type ChartKind } from './chart-data.ts';
import { EarlierSwatch, Swatch } from './chart-mark.tsx';
import styles from './chart-tooltip.module.css';
import type { Quantity } from './quantity.ts';

interface ChartTooltipProps {
  /** Of the chart's fills. */
  readonly id: string;
  readonly kind: ChartKind;
  readonly series: readonly ShownSeries[];
  readonly quantity: Quantity;
  /** Of which bucket it tells. */
  readonly place: number;
  readonly stretch: Stretch;
  /** The series that is pointed at, by its place in the chart's data. */
  readonly pointed: number | null;
  /** What a press would do. */
  readonly hint: string | undefined;
  /** Within the window. */
  readonly x: number;
  readonly y: number;
}

const AWAY_PX = 14;
const MARGIN_PX = 8;

/** Every value of one bucket, beside the pointer and within the window. */
export function ChartTooltip(props: ChartTooltipProps) {
  const { id, kind, series, quantity, place, stretch, pointed, hint, x, y } = props;
  const zone = useTimeZone();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { offsetWidth, offsetHeight } = element;
    const isLeft = x + AWAY_PX + offsetWidth + MARGIN_PX > window.innerWidth;
    const left = isLeft ? x - AWAY_PX - offsetWidth : x + AWAY_PX;
    const top = Math.min(y - offsetHeight / 2, window.innerHeight - offsetHeight - MARGIN_PX);
    element.style.translate = `${Math.max(MARGIN_PX, left)}px ${Math.max(MARGIN_PX, top)}px`;
  });
  const range = {
    kind: 'between',
    start: new Date(stretch.startMs).toISOString(),
    end: new Date(stretch.endMs).toISOString(),
  } as const;
  const isCompared = series.some(({ before }) => before !== undefined);
  const figure = (value: number | null | undefined) => (value == null ? '–' : quantity.format(value));
  const totals = kind === 'bars' && series.length > 1;
  return (
    <div ref={box} className={styles.tooltip} data-tooltip aria-hidden>
      <p className={styles.time}>{formatTimeRange(range, zone)}</p>
      <table className={styles.values}>
        {isCompared && (
          <thead>
            <tr>
              <th colSpan={3}>Now</th>
              <th className={styles.before}>
                <span>
                  <EarlierSwatch /> Previous
                </span>
              </th>
            </tr>
          </thead>
        )}
        <tbody>
          {/* The uppermost layer stands uppermost here, too. */}
          {(kind === 'bars' ? series.toReversed() : series).map(({ label, color, values, before, place: own }) => (
            <tr key={label} data-pointed={own === pointed || undefined}>
              <td className={styles.swatch}>
                <Swatch kind={kind} id={id} color={color} place={own} />
              </td>
              <td className={styles.label}>{label}</td>
              <td className={styles.value}>{figure(values[place])}</td>
              {isCompared && <td className={styles.before}>{figure(before?.[place])}</td>}
            </tr>
          ))}
          {totals && (
            <tr className={styles.total}>
              <td colSpan={2} className={styles.label}>
                Total
              </td>
              <td className={styles.value}>{figure(totalAt(series, place))}</td>
              {isCompared && <td className={styles.before}>{figure(totalAt(series, place, 'before'))}</td>}
            </tr>
          )}
        </tbody>
      </table>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </div>
  );
}
