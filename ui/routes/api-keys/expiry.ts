/** When a new key ends. */
import { fromWallTime } from '#ui/lib/zoned-time.ts';

/** What can be chosen; `own` is a time that the user writes. */
export const EXPIRIES = [
  { id: '30', label: 'In 30 days' },
  { id: '90', label: 'In 90 days' },
  { id: '365', label: 'In a year' },
  { id: 'own', label: 'At a time of your choice…' },
  { id: 'never', label: 'Never' },
] as const;

/** See {@link EXPIRIES}. */
export type ExpiryChoice = (typeof EXPIRIES)[number]['id'];

const DAY_MS = 86_400_000;

/** Milliseconds since 1970; null: never; undefined where what was written names no time that is still to come. */
export function expiryOf(
  choice: ExpiryChoice,
  { written, zone, nowMs }: { readonly written: string; readonly zone: string; readonly nowMs: number },
): number | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'own') return nowMs + Number(choice) * DAY_MS;
  const endMs = fromWallTime(written, zone);
  return endMs === undefined || endMs <= nowMs ? undefined : endMs;
}

/** How urgent the end of a key is: it is over, it comes within a week, or it is far. */
export function expiryState(expiresAt: string | null, nowMs: number): 'expired' | 'soon' | 'far' {
  if (expiresAt === null) return 'far';
  const leftMs = Date.parse(expiresAt) - nowMs;
  return leftMs <= 0 ? 'expired' : leftMs < 7 * DAY_MS ? 'soon' : 'far';
}
