import type { ReactNode } from 'react';
import type { ChartKind, ChartSeries } from './chart-data.ts';
import styles from './chart-mark.module.css';

/** Fills that differ without colour, in the order in which series take them. Each is drawn in the colour of its series. */
const FILLS: readonly { readonly size: number; readonly tint: number; readonly drawing: ReactNode }[] = [
  { size: 8, tint: 0.55, drawing: null },
  { size: 6, tint: 0.2, drawing: <path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" strokeWidth={1.6} /> },
  { size: 5, tint: 0.16, drawing: <circle cx={2.5} cy={2.5} r={1.1} fill="currentColor" stroke="none" /> },
  { size: 6, tint: 0.14, drawing: <path d="M-1 -1L7 7M-1 7L7 -1" strokeWidth={1} /> },
  { size: 4, tint: 0.18, drawing: <path d="M0 2H4" strokeWidth={1.3} /> },
  { size: 4, tint: 0.18, drawing: <path d="M2 0V4" strokeWidth={1.3} /> },
  { size: 6, tint: 0.2, drawing: <path d="M-1 -1L7 7M5 -1L7 1M-1 5L1 7" strokeWidth={1.6} /> },
];

/** The fills of a chart's series, for the drawing, its legend and its tooltip. */
export function ChartFills({ id, series }: { readonly id: string; readonly series: readonly ChartSeries[] }) {
  return (
    <svg className={styles.fills} width={0} height={0} aria-hidden>
      <defs>
        {series.map(({ label, color }, place) => {
          const { size, tint, drawing } = FILLS[place % FILLS.length] ?? { size: 8, tint: 0.55, drawing: null };
          return (
            <pattern
              key={label}
              id={fillId(id, place)}
              width={size}
              height={size}
              patternUnits="userSpaceOnUse"
              style={{ color: `var(${color})` }}
            >
              <rect width={size} height={size} fill="currentColor" opacity={tint} />
              <g stroke="currentColor" fill="none">
                {drawing}
              </g>
            </pattern>
          );
        })}
      </defs>
    </svg>
  );
}

/** What a bar of the series is filled with. */
export function fillOf(id: string, place: number): string {
  return `url(#${fillId(id, place)})`;
}

function fillId(id: string, place: number): string {
  return `${id}-fill-${place}`;
}

/** Shapes around 0, 0 that differ without colour. */
const SHAPES = [
  'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z',
  'M-2.7 -2.7H2.7V2.7H-2.7Z',
  'M0 -3.4L3.4 2.6H-3.4Z',
  'M0 -3.8L3.8 0L0 3.8L-3.8 0Z',
  'M0 3.4L3.4 -2.6H-3.4Z',
  'M-1.1 -3.3H1.1V-1.1H3.3V1.1H1.1V3.3H-1.1V1.1H-3.3V-1.1H-1.1Z',
  'M-3.2 -1.4H3.2V1.4H-3.2Z',
] as const;

/** The mark of a line at a point. */
export function PointMark({ place, x, y }: { readonly place: number; readonly x: number; readonly y: number }) {
  return (
    <path d={SHAPES[place % SHAPES.length]} transform={`translate(${x} ${y})`} fill="currentColor" stroke="none" />
  );
}

interface SwatchProps {
  readonly kind: ChartKind;
  /** Of the chart's fills. */
  readonly id: string;
  readonly color: string;
  readonly place: number;
}

/** What stands for a series beside its name. */
export function Swatch({ kind, id, color, place }: SwatchProps) {
  return (
    <svg className={styles.swatch} width={16} height={10} style={{ color: `var(${color})` }} aria-hidden>
      {kind === 'bars' ? (
        <rect x={2.5} y={0.5} width={11} height={9} rx={1.5} fill={fillOf(id, place)} stroke="currentColor" />
      ) : (
        <>
          <path d="M0 5H16" stroke="currentColor" strokeWidth={1.5} />
          <PointMark place={place} x={8} y={5} />
        </>
      )}
    </svg>
  );
}

/** What stands for the time before. */
export function EarlierSwatch() {
  return (
    <svg className={styles.earlier} width={16} height={10} aria-hidden>
      <path d="M0 5H16" stroke="currentColor" strokeWidth={1.5} strokeDasharray="4 3" />
    </svg>
  );
}
