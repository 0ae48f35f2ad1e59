/** How far rows are indented: readable at the top, and still within the column at any depth. */

/** Width of a step where there is room. */
export const INDENT_STEP_PX = 14;
/** Levels that always get a whole step. */
export const WHOLE_STEP_LEVELS = 6;

/** Indentation takes no more than this share of the width. */
const INDENT_SHARE = 0.4;
/** What a row has beside indentation and figures: paddings, fold, icon, depth, and a name that can be read. */
const NAME_PX = 290;
/** The names of deeper ones need the room of the figures. */
const DEEP_LEVELS = 10;
/** With so much, there is room for both. */
const ROOMY_PX = 1000;

/** Room for indentation in a column of this width, so that names at any depth can be read. */
export function indentRoom(widthPx: number): number {
  return Math.max(Math.min(widthPx * INDENT_SHARE, widthPx - NAME_PX), WHOLE_STEP_LEVELS * INDENT_STEP_PX);
}

/** Whether a tree is so deep that its rows have no room for figures beside the latency. */
export function isTooDeepForFigures(maxDepth: number, widthPx: number): boolean {
  return widthPx < ROOMY_PX && maxDepth > DEEP_LEVELS;
}

/** Indentation in pixels by depth: whole steps first, then what is left of the width shared by all deeper levels. */
export function indentFor(depth: number, maxDepth: number, availablePx: number): number {
  const whole = Math.min(depth, WHOLE_STEP_LEVELS) * INDENT_STEP_PX;
  if (depth <= WHOLE_STEP_LEVELS) return whole;
  const room = Math.max(availablePx - whole, 0);
  const step = Math.min(room / (maxDepth - WHOLE_STEP_LEVELS), INDENT_STEP_PX);
  return whole + (depth - WHOLE_STEP_LEVELS) * step;
}
