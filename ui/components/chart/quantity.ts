/** What the values of a chart are, which decides how they are written and where the lines of its axis stand. */
import { formatCount, formatDuration, formatExact, formatShare, formatTokens, formatUsd } from '#ui/lib/format.ts';

/** See the file. */
export interface Quantity {
  /** In full, for the tooltip and the table. */
  readonly format: (value: number) => string;
  /** Briefly, for the axis. */
  readonly formatTick: (value: number) => string;
  /** Whether there is nothing between two whole numbers. */
  readonly isWhole: boolean;
  /** In what the values up to this one are counted, as seconds and minutes are. */
  readonly unitOf: (max: number) => number;
  /** Whether zero is a value like any other, and not the absence of something. */
  readonly isZeroDrawn?: boolean;
}

const one = (): number => 1;

/** Things that are counted. */
export const COUNT: Quantity = { format: formatExact, formatTick: formatCount, isWhole: true, unitOf: one };

/** Tokens. */
export const TOKENS: Quantity = { format: formatTokens, formatTick: formatCount, isWhole: true, unitOf: one };

/** Scores of any range. */
export const SCORE: Quantity = {
  format: (score) => String(Number(score.toPrecision(4))),
  formatTick: (score) => String(Number(score.toPrecision(4))),
  isWhole: false,
  unitOf: one,
  isZeroDrawn: true,
};

/** Parts of a whole. */
export const SHARE: Quantity = { format: formatShare, formatTick: formatShare, isWhole: false, unitOf: one };

/** US dollars. */
export const MONEY: Quantity = { format: formatUsd, formatTick: formatUsd, isWhole: false, unitOf: one };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Shorter ones are told in seconds. */
const LONG = 4 * MINUTE;

/** Milliseconds. */
export const DURATION: Quantity = {
  format: formatDuration,
  formatTick: (ms) => {
    if (ms === 0) return '0';
    if (ms < SECOND) return `${round(ms)} ms`;
    if (ms < LONG && ms % (2 * MINUTE) !== 0) return `${round(ms / SECOND)} s`;
    return ms < 4 * HOUR ? `${round(ms / MINUTE)}m` : `${round(ms / HOUR)}h`;
  },
  isWhole: false,
  unitOf: (max) => {
    if (max >= 4 * HOUR) return HOUR;
    if (max >= LONG) return MINUTE;
    return max >= SECOND ? SECOND : 1;
  },
};

function round(value: number): string {
  return formatExact(Math.round(value * 1000) / 1000);
}
