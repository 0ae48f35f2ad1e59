let lastUs = 0;

/** The present, in microseconds since the Unix epoch; later than whatever it was before in this thread. */
export function nextMomentUs(): number {
  lastUs = Math.max(Date.now() * 1000, lastUs + 1);
  return lastUs;
}
