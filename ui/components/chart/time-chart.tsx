import { ChartColumn, Table2 } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { IconButton } from '#ui/components/button.tsx';
import { CopyButton } from '#ui/components/copy-button.tsx';
import { type ChartData, type ChartKind, isEmptyChart, tabSeparated } from './chart-data.ts';
import { ChartLegend } from './chart-legend.tsx';
import { ChartFills } from './chart-mark.tsx';
import { type ChartActions, ChartPlot } from './chart-plot.tsx';
import { ChartTable } from './chart-table.tsx';
import type { Quantity } from './quantity.ts';
import styles from './time-chart.module.css';

/** See {@link TimeChart}. */
export interface TimeChartProps extends ChartActions {
  readonly title: string;
  readonly kind: ChartKind;
  readonly data: ChartData;
  readonly quantity: Quantity;
  /** Stands in place of the picture where there is nothing to draw. */
  readonly empty: string;
}

/**
 * Series over time. Dragging narrows the time, pressing picks a bucket and a series; the legend hides and shows series. A
 * table behind the chart says the same.
 */
export function TimeChart({ title, kind, data, quantity, empty, ...actions }: TimeChartProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(
    () => new Set(data.series.flatMap(({ label, isHiddenAtFirst }) => (isHiddenAtFirst === true ? [label] : []))),
  );
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  const toggle = (label: string) =>
    setHidden((before) => {
      const next = new Set(before);
      if (!next.delete(label)) next.add(label);
      return next;
    });
  const shown = useMemo(
    () => data.series.map((series, place) => ({ ...series, place })).filter(({ label }) => !hidden.has(label)),
    [data, hidden],
  );
  const isEmpty = isEmptyChart(data.series, quantity);
  return (
    <figure className={styles.chart} aria-labelledby={`${id}-title`}>
      <figcaption className={styles.head}>
        <span id={`${id}-title`} className={styles.title}>
          {title}
        </span>
        {!isEmpty && isTable && <CopyButton text={() => tabSeparated(data)} label={`Copy ${title}`} />}
        {!isEmpty && (
          <IconButton
            icon={isTable ? ChartColumn : Table2}
            size="sm"
            label={isTable ? `Show ${title} as a chart` : `Show ${title} as a table`}
            onPress={() => setIsTable(!isTable)}
          />
        )}
      </figcaption>
      <ChartFills id={id} series={data.series} />
      {!isEmpty && !isTable && (
        <ChartLegend id={id} kind={kind} data={data} hidden={hidden} quantity={quantity} onToggle={toggle} />
      )}
      {isEmpty ? (
        <p className={styles.empty}>{empty}</p>
      ) : isTable ? (
        <ChartTable title={title} data={data} quantity={quantity} />
      ) : shown.length === 0 ? (
        <p className={styles.empty}>Every series is hidden. Press one above to show it.</p>
      ) : (
        <ChartPlot id={id} title={title} kind={kind} data={data} shown={shown} quantity={quantity} {...actions} />
      )}
    </figure>
  );
}
