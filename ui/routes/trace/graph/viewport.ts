/** How a drawing lies in its frame, and what moves it. */
import { type GraphLayout, NODE_HEIGHT, NODE_WIDTH, type Point } from './graph-layout.ts';

/** A point of the drawing stands at its coordinates times `scale` plus `x` and `y`. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** Of a frame, in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where an arrow key leads. */
export type Direction = 'left' | 'right' | 'up' | 'down';

const MIN_SCALE = 0.05;
const MAX_SCALE = 2;

/** Smaller, nothing can be read: the beginning of the drawing is shown instead. */
const LEGIBLE_SCALE = 0.45;

/** The whole drawing in the middle of the frame, never larger than it is. */
export function fitWhole({ width, height }: Size, frame: Size): Viewport {
  const scale = clampScale(Math.min(1, frame.width / width, frame.height / height));
  return { scale, x: (frame.width - width * scale) / 2, y: (frame.height - height * scale) / 2 };
}

/** How a drawing is shown at first: as a whole where it can be read then, else its beginning. */
export function fitLegibly(drawing: Size, frame: Size): Viewport {
  const whole = fitWhole(drawing, frame);
  if (whole.scale >= LEGIBLE_SCALE) return whole;
  const scale = Math.min(1, Math.max(LEGIBLE_SCALE, 0.8));
  return {
    scale,
    x: Math.max(0, (frame.width - drawing.width * scale) / 2),
    y: Math.max(0, (frame.height - drawing.height * scale) / 2),
  };
}

/** Larger or smaller by a factor around a point of the frame. */
export function zoomAt(view: Viewport, factor: number, at: Point): Viewport {
  const scale = clampScale(view.scale * factor);
  const change = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * change, y: at.y - (at.y - view.y) * change };
}

/** Moved by pixels of the frame. */
export function panBy(view: Viewport, by: Point): Viewport {
  return { ...view, x: view.x + by.x, y: view.y + by.y };
}

/** Moved as little as shows the whole node that stands at a point. */
export function revealNode(view: Viewport, at: Point, frame: Size): Viewport {
  return {
    scale: view.scale,
    x: view.x + stray(view.x + at.x * view.scale, (NODE_WIDTH / 2) * view.scale, frame.width),
    y: view.y + stray(view.y + at.y * view.scale, (NODE_HEIGHT / 2) * view.scale, frame.height),
  };
}

/** Whether a box of the drawing is in the frame or near it. */
export function isNear(view: Viewport, frame: Size, points: readonly Point[]): boolean {
  const xs = points.map(({ x }) => x * view.scale + view.x);
  const ys = points.map(({ y }) => y * view.scale + view.y);
  return (
    Math.max(...xs) > -NEAR_PX &&
    Math.min(...xs) < frame.width + NEAR_PX &&
    Math.max(...ys) > -NEAR_PX &&
    Math.min(...ys) < frame.height + NEAR_PX
  );
}

const NEAR_PX = 240;

/** The nearest node that lies in a direction from another one; what lies aside counts as farther away. */
export function nearestNode(nodes: GraphLayout['nodes'], from: string, direction: Direction): string | undefined {
  const start = nodes[from];
  if (start === undefined) return undefined;
  const isAcross = direction === 'left' || direction === 'right';
  const sign = direction === 'right' || direction === 'down' ? 1 : -1;
  let best: { readonly id: string; readonly distance: number } | undefined;
  for (const [id, { x, y }] of Object.entries(nodes)) {
    const [dx, dy] = [x - start.x, y - start.y];
    const ahead = sign * (isAcross ? dx : dy);
    if (id === from || ahead <= 0) continue;
    const distance = ahead + ASIDE_WEIGHT * Math.abs(isAcross ? dy : dx);
    if (best === undefined || distance < best.distance) best = { id, distance };
  }
  return best?.id;
}

const ASIDE_WEIGHT = 2;

function clampScale(scale: number): number {
  return Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale));
}

/** What brings a middle with a half width into 0 to an extent, with a little room. */
function stray(middle: number, half: number, extent: number): number {
  const room = half + 16;
  if (middle - room < 0) return room - middle;
  return middle + room > extent ? extent - room - middle : 0;
}
