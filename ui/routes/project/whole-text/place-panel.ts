/** Where the panel with a whole text stands. */

/** A box in the window, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The window. */
export type Room = Pick<Box, 'width' | 'height'>;

/** Where the panel begins and how large it may be; `bottom` where it stands above its cell. */
export interface PanelPlace {
  readonly left: number;
  readonly top?: number;
  readonly bottom?: number;
  readonly width: number;
  readonly maxHeight: number;
}

const GAP = 4;
const MARGIN = 8;
const WIDTH = 560;
const HEIGHT = 360;

/** Below its cell where there is room, else above it; always within the window. */
export function placePanel(cell: Box, room: Room): PanelPlace {
  const width = Math.min(Math.max(WIDTH, Math.min(cell.width, 2 * WIDTH)), room.width - 2 * MARGIN);
  const left = Math.min(Math.max(cell.left, MARGIN), room.width - width - MARGIN);
  const below = room.height - cell.top - cell.height - GAP - MARGIN;
  const above = cell.top - GAP - MARGIN;
  if (below >= HEIGHT || below >= above) {
    return { left, top: cell.top + cell.height + GAP, width, maxHeight: Math.min(HEIGHT, below) };
  }
  return { left, bottom: room.height - cell.top + GAP, width, maxHeight: Math.min(HEIGHT, above) };
}
