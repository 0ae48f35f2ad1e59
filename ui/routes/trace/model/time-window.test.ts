import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  barIn,
  isWhole,
  panWindow,
  type TimeWindow,
  wholeWindow,
  windowBetween,
  windowShowing,
  zoomWindow,
} from './time-window.ts';

const whole = wholeWindow(1000, 2000);
const middle: TimeWindow = { startMs: 1400, endMs: 1600 };

describe('wholeWindow', () => {
  it('gives an extent to a trace that has none', () => {
    const { startMs, endMs } = wholeWindow(5, 5);
    expect(endMs).toBeGreaterThan(startMs);
  });
});

describe('zoomWindow', () => {
  it('keeps what is under the pointer there', () => {
    const zoomed = zoomWindow(middle, whole, 0.5, 1450);
    expect(zoomed.endMs - zoomed.startMs).toBeCloseTo(100);
    expect((1450 - zoomed.startMs) / 100).toBeCloseTo(0.25);
  });

  it('ends at the whole trace, and before times lose their meaning', () => {
    expect(zoomWindow(middle, whole, 100, 1500)).toEqual(whole);
    const closest = zoomWindow(middle, whole, 1e-12, 1500);
    expect(closest.endMs - closest.startMs).toBeCloseTo(0.01);
  });
});

describe('panWindow', () => {
  it('moves, and stops at the ends', () => {
    expect(panWindow(middle, whole, 100)).toEqual({ startMs: 1500, endMs: 1700 });
    expect(panWindow(middle, whole, 900)).toEqual({ startMs: 1800, endMs: 2000 });
    expect(panWindow(middle, whole, -900)).toEqual({ startMs: 1000, endMs: 1200 });
  });
});

describe('windowBetween', () => {
  it('takes its times in either order', () => {
    expect(windowBetween(1700, 1200, whole)).toEqual({ startMs: 1200, endMs: 1700 });
  });

  it('has an extent even between equal times', () => {
    const { startMs, endMs } = windowBetween(2000, 2000, whole);
    expect(endMs).toBeGreaterThan(startMs);
    expect(endMs).toBe(2000);
  });
});

describe('windowShowing', () => {
  it('stays where a span is seen already and moves to one that is not', () => {
    expect(windowShowing(middle, whole, 1000, 1450)).toBe(middle);
    expect(windowShowing(middle, whole, 1900, 1900)).toEqual({ startMs: 1800, endMs: 2000 });
    expect(windowShowing(middle, whole, 1100, 1120).startMs).toBeCloseTo(1080);
  });
});

describe('any window', () => {
  it('lies within the trace whatever is done to it', () => {
    const number = fc.double({ min: -5000, max: 5000, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 10, noNaN: true }), number, number, (factor, anchor, by) => {
        const moved = panWindow(zoomWindow(windowBetween(anchor, by, whole), whole, factor, anchor), whole, by);
        expect(moved.startMs).toBeGreaterThanOrEqual(whole.startMs);
        expect(moved.endMs).toBeLessThanOrEqual(whole.endMs);
        expect(moved.endMs).toBeGreaterThan(moved.startMs);
      }),
    );
  });

  it('knows whether it is all', () => {
    expect([isWhole(whole, whole), isWhole(middle, whole)]).toEqual([true, false]);
  });
});

describe('barIn', () => {
  it('places a bar by shares', () => {
    expect(barIn(whole, 1250, 1500)).toEqual({ left: 0.25, width: 0.25, outside: undefined });
  });

  it('cuts a bar at the edges of the window', () => {
    expect(barIn(middle, 1000, 2000)).toEqual({ left: 0, width: 1, outside: undefined });
  });

  it('is not lost at the end of the trace, where sums of large times are not exact', () => {
    const day = wholeWindow(1_767_225_600_000, 1_767_225_600_003);
    for (let steps = 1; steps < 12; steps++) {
      const end = panWindow(zoomWindow(day, day, 0.6 ** steps, day.startMs + 1.3), day, 10);
      expect(barIn(end, day.endMs, day.endMs).outside).toBeUndefined();
    }
  });

  it('says on which side a bar is that is not seen', () => {
    expect([barIn(middle, 1000, 1100).outside, barIn(middle, 1900, 1950).outside]).toEqual(['left', 'right']);
  });
});
