import { Fragment } from 'react';
import { formatTimeRange } from '#ui/lib/time-range-text.ts';
import { useTimeZone } from '#ui/lib/time-zone.ts';
import { type ChartData, stretchOf } from './chart-data.ts';
import styles from './chart-table.module.css';
import type { Quantity } from './quantity.ts';

interface ChartTableProps {
  readonly title: string;
  readonly data: ChartData;
  readonly quantity: Quantity;
}

/** The figures of a chart, hidden series among them. */
export function ChartTable({ title, data, quantity }: ChartTableProps) {
  const zone = useTimeZone();
  const figure = (value: number | null | undefined) => (value == null ? '–' : quantity.format(value));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls must be reached by the keyboard.
    <section className={styles.scroller} aria-label={`${title} as a table`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
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
              <th scope="row">{formatTimeRange(between(data, place), zone)}</th>
              {data.series.map(({ label, values, before }) => (
                <Fragment key={label}>
                  <td>{figure(values[place])}</td>
                  {before !== undefined && <td className={styles.before}>{figure(before[place])}</td>}
                </Fragment>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function between(data: ChartData, place: number) {
  const { startMs, endMs } = stretchOf(data, place);
  return { kind: 'between', start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() } as const;
}
