/** Instants and what a clock on the wall of a time zone shows at them. */

/** The wall time of an instant (milliseconds since 1970), as `YYYY-MM-DDTHH:mm`. */
export function toWallTime(instantMs: number, zone: string): string {
  return new Date(instantMs + offsetMs(instantMs, zone)).toISOString().slice(0, 16);
}

/**
 * The instant at which the clock of a zone shows `YYYY-MM-DDTHH:mm`, undefined where the text names no time.
 * A time that a change of clocks leaves out is read with the offset from before the change.
 */
export function fromWallTime(wallTime: string, zone: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$/.exec(wallTime);
  const asUtc = Date.parse(`${wallTime}:00Z`);
  if (match === null || Number.isNaN(asUtc)) return undefined;
  // The 31st of a month of 30 days is no time, though a date object would take it for the 1st.
  if (new Date(asUtc).getUTCDate() !== Number(match[3])) return undefined;
  const day = 24 * 60 * 60 * 1000;
  const candidates = [asUtc - offsetMs(asUtc - day, zone), asUtc - offsetMs(asUtc + day, zone)];
  return candidates.find((instant) => instant + offsetMs(instant, zone) === asUtc) ?? candidates[0];
}

function offsetMs(instantMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall - Math.floor(instantMs / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}
