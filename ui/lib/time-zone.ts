/** The time zone in which times are shown. */
import { createStored, useStored } from './storage.ts';

/** Stands for the zone of the person's computer, wherever it travels. */
export const LOCAL_ZONE = 'local';

const choice = createStored<string>('timeZone', LOCAL_ZONE, (value) =>
  typeof value === 'string' && (value === LOCAL_ZONE || isTimeZone(value)) ? value : undefined,
);

/** The name of the zone to show times in, such as `Europe/Zurich`. */
export function useTimeZone(): string {
  return resolveTimeZone(useStored(choice));
}

/** What was chosen: a name of a zone, or {@link LOCAL_ZONE}. */
export function useTimeZoneChoice(): string {
  return useStored(choice);
}

/** Shows all times in a zone, now and from now on. */
export function setTimeZone(zone: string): void {
  choice.set(zone);
}

/** The zone that a choice means here and now. */
export function resolveTimeZone(zone: string): string {
  return zone === LOCAL_ZONE ? new Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
}

/** Every zone that can be chosen, `UTC` first. */
export function listTimeZones(): readonly string[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
}

function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    // The browser does not know it.
    return false;
  }
}
