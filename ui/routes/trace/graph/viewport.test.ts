import { describe, expect, it } from 'vitest';
import { fitLegibly, fitWhole, isNear, nearestNode, panBy, revealNode, zoomAt } from './viewport.ts';

const FRAME = { width: 400, height: 200 };
const AS_IS = { x: 0, y: 0, scale: 1 };

describe('a drawing', () => {
  it('fits its frame as a whole, and is never enlarged for that', () => {
    expect(fitWhole({ width: 800, height: 200 }, FRAME)).toEqual({ scale: 0.5, x: 0, y: 50 });
    expect(fitWhole({ width: 100, height: 100 }, FRAME)).toEqual({ scale: 1, x: 150, y: 50 });
  });

  it('is shown from its beginning where it could not be read as a whole', () => {
    expect(fitLegibly({ width: 800, height: 200 }, FRAME)).toEqual(fitWhole({ width: 800, height: 200 }, FRAME));
    expect(fitLegibly({ width: 200, height: 90_000 }, FRAME)).toEqual({ scale: 0.8, x: 120, y: 0 });
  });

  it('grows around the point that is pointed at, within bounds', () => {
    const zoomed = zoomAt(AS_IS, 2, { x: 100, y: 50 });
    expect(zoomed).toEqual({ scale: 2, x: -100, y: -50 });
    expect(zoomAt(zoomed, 2, { x: 100, y: 50 })).toEqual(zoomed);
  });

  it('moves as little as shows a node', () => {
    expect(revealNode(AS_IS, { x: 200, y: 100 }, FRAME)).toEqual(AS_IS);
    const moved = revealNode(AS_IS, { x: 1000, y: -500 }, FRAME);
    expect(isNear(moved, FRAME, [{ x: 1000, y: -500 }])).toBe(true);
    expect(revealNode(moved, { x: 1000, y: -500 }, FRAME)).toEqual(moved);
    expect(panBy(AS_IS, { x: 5, y: -5 })).toEqual({ x: 5, y: -5, scale: 1 });
    expect(isNear(AS_IS, FRAME, [{ x: 5000, y: 0 }])).toBe(false);
  });
});

it('an arrow key leads to the nearest node in its direction', () => {
  const nodes = { a: { x: 0, y: 0 }, b: { x: 0, y: 100 }, c: { x: 90, y: 80 }, d: { x: -200, y: 0 } };
  expect(nearestNode(nodes, 'a', 'down')).toBe('b');
  expect(nearestNode(nodes, 'a', 'left')).toBe('d');
  expect(nearestNode(nodes, 'b', 'right')).toBe('c');
  expect(nearestNode(nodes, 'a', 'up')).toBeUndefined();
  expect(nearestNode(nodes, 'unknown', 'up')).toBeUndefined();
});
