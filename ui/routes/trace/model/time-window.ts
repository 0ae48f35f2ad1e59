/** The part of a trace's time that the timeline shows. */

/** A span of time; milliseconds since the epoch. */
export interface TimeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** Nothing is shown larger than this: times have microseconds. */
const MIN_EXTENT_MS = 0.01;

/** All of a trace; a trace without extent gets one, so that it can be drawn. */
export function wholeWindow(startMs: number, endMs: number): TimeWindow {
  return { startMs, endMs: Math.max(endMs, startMs + MIN_EXTENT_MS) };
}

/** A window `factor` times as long, in which `anchorMs` stays where it is. */
export function zoomWindow(window: TimeWindow, whole: TimeWindow, factor: number, anchorMs: number): TimeWindow {
  const extent = window.endMs - window.startMs;
  const longest = whole.endMs - whole.startMs;
  const zoomed = Math.min(Math.max(extent * factor, Math.min(MIN_EXTENT_MS, longest)), longest);
  const share = (anchorMs - window.startMs) / extent;
  return moveInside(anchorMs - share * zoomed, zoomed, whole);
}

/** The window moved, not beyond the trace. */
export function panWindow(window: TimeWindow, whole: TimeWindow, byMs: number): TimeWindow {
  return moveInside(window.startMs + byMs, window.endMs - window.startMs, whole);
}

/** The window between two times in either order, not beyond the trace. */
export function windowBetween(oneMs: number, otherMs: number, whole: TimeWindow): TimeWindow {
  const extent = Math.max(Math.abs(otherMs - oneMs), Math.min(MIN_EXTENT_MS, whole.endMs - whole.startMs));
  return moveInside(Math.min(oneMs, otherMs), Math.min(extent, whole.endMs - whole.startMs), whole);
}

/** A window in which a time is seen: this one when it is, else one as long around it. */
export function windowShowing(window: TimeWindow, whole: TimeWindow, startMs: number, endMs: number): TimeWindow {
  if (startMs < window.endMs && endMs >= window.startMs) return window;
  const extent = window.endMs - window.startMs;
  return moveInside(startMs - extent * 0.1, extent, whole);
}

/** Whether the window is all of the trace. */
export function isWhole(window: TimeWindow, whole: TimeWindow): boolean {
  return window.startMs <= whole.startMs && window.endMs >= whole.endMs;
}

function moveInside(startMs: number, extent: number, whole: TimeWindow): TimeWindow {
  const start = Math.max(Math.min(startMs, whole.endMs - extent), whole.startMs);
  return { startMs: start, endMs: Math.min(start + extent, whole.endMs) };
}

/** Times since the epoch are exact to a quarter of a microsecond; less than this is no distance. */
const NO_DISTANCE_MS = 0.0005;

/** Where a bar stands in a window, in shares of its width. */
export interface Bar {
  /** 0 to 1. */
  readonly left: number;
  /** 0 to 1; zero is drawn as thin as can be seen. */
  readonly width: number;
  /** It lies wholly outside the window, on that side. */
  readonly outside: 'left' | 'right' | undefined;
}

/** The bar of something that lasts from a start to an end. */
export function barIn(window: TimeWindow, startMs: number, endMs: number): Bar {
  const extent = window.endMs - window.startMs;
  const left = clampShare((startMs - window.startMs) / extent);
  const right = clampShare((endMs - window.startMs) / extent);
  const isBefore = endMs < window.startMs - NO_DISTANCE_MS;
  const isBehind = startMs > window.endMs + NO_DISTANCE_MS;
  const outside = isBefore ? 'left' : isBehind ? 'right' : undefined;
  return { left, width: Math.max(right - left, 0), outside };
}

function clampShare(share: number): number {
  return Math.min(Math.max(share, 0), 1);
}
