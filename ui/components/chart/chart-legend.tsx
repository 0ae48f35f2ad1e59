import { type ChartData, formatChange, totalOf, totalsOf, type ChartKind } from './chart-data.ts';
import styles from './chart-legend.module.css';
import { EarlierSwatch, Swatch } from './chart-mark.tsx';
import type { Quantity } from './quantity.ts';

interface ChartLegendProps {
  /** Of the chart's fills. */
  readonly id: string;
  readonly kind: ChartKind;
  readonly data: ChartData;
  readonly hidden: ReadonlySet<string>;
  readonly quantity: Quantity;
  readonly onToggle: (label: string) => void;
}

/** Lists the series of a chart. A press hides or shows a series; the names of bars have their totals beside them. */
export function ChartLegend({ id, kind, data, hidden, quantity, onToggle }: ChartLegendProps) {
  return (
    <div className={styles.legend}>
      {data.series.map((series, place) => (
        <button
          key={series.label}
          type="button"
          className={styles.entry}
          aria-pressed={!hidden.has(series.label)}
          onClick={() => onToggle(series.label)}
        >
          <Swatch kind={kind} id={id} color={series.color} place={place} />
          <span className={styles.label}>{series.label}</span>
          {kind === 'bars' && <span className={styles.total}>{quantity.format(totalOf(series))}</span>}
        </button>
      ))}
      {data.comparedWith !== undefined && <Comparison kind={kind} data={data} hidden={hidden} quantity={quantity} />}
    </div>
  );
}

/** What the dashed line is, and what the bars come to beside it. */
function Comparison({ kind, data, hidden, quantity }: Omit<ChartLegendProps, 'id' | 'onToggle'>) {
  const { now, before } = totalsOf(data.series.filter(({ label }) => !hidden.has(label)));
  const change = formatChange(before, now);
  return (
    <span className={styles.compared} title={`Compared with ${data.comparedWith}`}>
      <EarlierSwatch />
      Previous{kind === 'bars' && ` ${quantity.format(before)}`}
      {kind === 'bars' && change !== undefined && <b>{change}</b>}
    </span>
  );
}
