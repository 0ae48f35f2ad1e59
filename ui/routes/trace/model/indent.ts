/** How far rows are indented: readable at the top, and still within the column at any depth. */

/** Width of a step where there is room. */
export const INDENT_STEP_PX = 14;
/** Levels that always get a whole step. */
export const WHOLE_STEP_LEVELS = 6;

/** Indentation in pixels by depth: whole steps first, then what is left of the width shared by all deeper levels. */
export function indentFor(depth: number, maxDepth: number, availablePx: number): number {
  const whole = Math.min(depth, WHOLE_STEP_LEVELS) * INDENT_STEP_PX;
  if (depth <= WHOLE_STEP_LEVELS) return whole;
  const room = Math.max(availablePx - whole, 0);
  const step = Math.min(room / (maxDepth - WHOLE_STEP_LEVELS), INDENT_STEP_PX);
  return whole + (depth - WHOLE_STEP_LEVELS) * step;
}
