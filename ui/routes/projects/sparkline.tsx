import { useTimeZone } from '#ui/lib/time-zone.ts';
import type { TraceBar } from './project-figures.ts';
import { describeTraces } from './sparkline-text.ts';
import styles from './sparkline.module.css';

/** Units of the drawing in height: bars stand on a line, below which failures are marked. */
const HEIGHT = 32;
const LINE = 27;

/** Traces over time, small; where some failed a mark stands below the bar, and all of it is said in its title. */
export function Sparkline({ bars }: { readonly bars: readonly TraceBar[] }) {
  const text = describeTraces(bars, useTimeZone());
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const width = Math.max(1, bars.length);
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A drawing of the page, which no file is.
      role="img"
      aria-label={text}
    >
      <title>{text}</title>
      <rect className={styles.ground} x={0} y={LINE} width={width} height={1} />
      {bars.map((bar, place) => (
        <Bar key={bar.startMs} bar={bar} x={place + 0.1} most={most} />
      ))}
    </svg>
  );
}

function Bar({ bar, x, most }: { readonly bar: TraceBar; readonly x: number; readonly most: number }) {
  if (bar.count === 0) return null;
  // What is there is seen, however few.
  const whole = Math.max(2, (bar.count / most) * LINE);
  const failed = bar.errorCount === 0 ? 0 : Math.max(1.5, (bar.errorCount / bar.count) * whole);
  return (
    <>
      <rect className={styles.ok} x={x} y={LINE - whole} width={0.8} height={whole - failed} />
      {failed > 0 && (
        <>
          <rect className={styles.failed} x={x} y={LINE - failed} width={0.8} height={failed} />
          <rect className={styles.failed} x={x} y={HEIGHT - 3} width={0.8} height={3} />
        </>
      )}
    </>
  );
}
