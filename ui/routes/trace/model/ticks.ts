/** The marks of a time axis, counted from the start of the trace. */
import type { TimeWindow } from './time-window.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From a second on, people read clocks, not decimals. */
const CLOCK_STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * SECOND,
);

/** One mark. */
export interface Tick {
  readonly atMs: number;
  readonly label: string;
}

/** At most `maxCount` marks at round times of a window. */
export function listTicks(window: TimeWindow, originMs: number, maxCount: number): readonly Tick[] {
  const step = chooseStep((window.endMs - window.startMs) / Math.max(maxCount, 1));
  const first = Math.ceil((window.startMs - originMs) / step - 1e-6);
  const last = Math.floor((window.endMs - originMs) / step + 1e-6);
  return Array.from({ length: Math.min(last - first + 1, maxCount + 1) }, (_, place) => {
    const offsetMs = (first + place) * step;
    return { atMs: originMs + offsetMs, label: formatOffset(offsetMs, step) };
  });
}

/** The smallest round step that is not below a length. */
function chooseStep(atLeastMs: number): number {
  const clock = atLeastMs > 500 ? CLOCK_STEPS.find((step) => step >= atLeastMs) : undefined;
  if (clock !== undefined) return clock;
  const unit = atLeastMs > DAY ? DAY : 1;
  const power = 10 ** Math.floor(Math.log10(atLeastMs / unit));
  return unit * power * ([1, 2, 5, 10].find((factor) => factor * power * unit >= atLeastMs) ?? 10);
}

/** A time since the start as precise as the step between times demands. */
export function formatOffset(offsetMs: number, stepMs: number): string {
  if (offsetMs === 0) return '0';
  if (offsetMs >= HOUR) {
    const days = Math.floor(offsetMs / DAY);
    const clock = `${Math.floor((offsetMs % DAY) / HOUR)}:${pad(Math.floor((offsetMs % HOUR) / MINUTE))}`;
    const seconds = stepMs < MINUTE ? `:${pad(Math.floor((offsetMs % MINUTE) / SECOND))}` : '';
    return `${days > 0 ? `${days} d ` : ''}${clock}${seconds} h`;
  }
  if (offsetMs >= MINUTE && stepMs >= MINUTE) return `${offsetMs / MINUTE} min`;
  if (offsetMs >= MINUTE) {
    const seconds = decimals((offsetMs % MINUTE) / SECOND, stepMs / SECOND);
    return `${Math.floor(offsetMs / MINUTE)}:${/^\d(\.|$)/.test(seconds) ? '0' : ''}${seconds} min`;
  }
  if (offsetMs >= SECOND) return `${decimals(offsetMs / SECOND, stepMs / SECOND)} s`;
  if (offsetMs >= 1) return `${decimals(offsetMs, stepMs)} ms`;
  return `${decimals(offsetMs * 1000, stepMs * 1000)} µs`;
}

function decimals(value: number, step: number): string {
  return value.toFixed(Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)));
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
