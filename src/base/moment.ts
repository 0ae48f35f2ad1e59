let lastUs = 0;
let aheadUs = 0;

/** The present, in microseconds since the Unix epoch; later than whatever it was before in this thread. */
export function nextMomentUs(): number {
  lastUs = Math.max(Date.now() * 1000 + aheadUs, lastUs + 1);
  return lastUs;
}

/** From now on the present of this thread is that of another clock, which says `nowUs`. */
export function followClock(nowUs: number): void {
  aheadUs = nowUs - Date.now() * 1000;
}

/** Begins again, as in a thread that has just started: for tests that set the clock. */
export function forgetMoments(): void {
  lastUs = 0;
  aheadUs = 0;
}
