import type { Selection } from '#ui/components/chart/bucket-selection.ts';
import type { Bucket, Outliers } from './buckets.ts';
import styles from './strip.module.css';

interface StripBarsProps {
  readonly buckets: readonly Bucket[];
  readonly selection: Selection | undefined;
  readonly pointed: number | undefined;
  readonly outliers: Outliers;
}

/** Units of the drawing in height; the marks of outliers stand above. */
const HEIGHT = 40;

/** The picture: a bar for each bucket, by status, and what is chosen behind them. */
export function StripBars({ buckets, selection, pointed, outliers }: StripBarsProps) {
  const most = Math.max(1, ...buckets.map(({ totalCount }) => totalCount));
  const width = Math.max(1, buckets.length);
  const chosen = selection && {
    from: Math.min(selection.from, selection.to),
    to: Math.max(selection.from, selection.to),
  };
  return (
    <>
      <svg className={styles.bars} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {chosen !== undefined && (
          <rect className={styles.chosen} x={chosen.from} y={0} width={chosen.to - chosen.from + 1} height={HEIGHT} />
        )}
        {pointed !== undefined && <rect className={styles.pointed} x={pointed} y={0} width={1} height={HEIGHT} />}
        {buckets.map((bucket, place) => (
          <Bar key={bucket.startTime} bucket={bucket} place={place} most={most} />
        ))}
      </svg>
      <Mark place={outliers.slowest} count={width} mark="slowest" />
      <Mark place={outliers.costliest} count={width} mark="costliest" />
    </>
  );
}

function Bar({ bucket, place, most }: { readonly bucket: Bucket; readonly place: number; readonly most: number }) {
  if (bucket.totalCount === 0) return null;
  // What is there is seen, however few.
  const whole = Math.max(1.5, (bucket.totalCount / most) * HEIGHT);
  const failed = bucket.errorCount === 0 ? 0 : Math.max(1.5, (bucket.errorCount / bucket.totalCount) * whole);
  const ok = ((bucket.okCount / bucket.totalCount) * whole * (whole - failed)) / whole;
  const x = place + 0.1;
  return (
    <>
      <rect className={styles.unset} x={x} y={HEIGHT - whole} width={0.8} height={Math.max(whole - failed - ok, 0)} />
      <rect className={styles.ok} x={x} y={HEIGHT - failed - ok} width={0.8} height={ok} />
      <rect className={styles.failed} x={x} y={HEIGHT - failed} width={0.8} height={failed} />
    </>
  );
}

function Mark(props: { readonly place: number | null; readonly count: number; readonly mark: keyof Outliers }) {
  if (props.place === null) return null;
  const left = `${((props.place + 0.5) / props.count) * 100}%`;
  return <span className={styles.mark} data-mark={props.mark} style={{ left }} aria-hidden />;
}
