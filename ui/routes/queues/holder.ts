/** Who holds an item while authentication is off: one browser, by a key that it makes up. */
import { createStored, useStored } from '#ui/lib/storage.ts';
import { useViewer } from '#ui/lib/viewer.ts';

const stored = createStored<string | null>('queues.holder', null, (value) =>
  typeof value === 'string' && /^[\w-]{8,64}$/.test(value) ? value : undefined,
);

/** The key of this browser; null where accounts hold items. */
export function useHolder(): string | null {
  const viewer = useViewer();
  const key = useStored(stored);
  if (viewer !== null) return null;
  if (key !== null) return key;
  const made = crypto.getRandomValues(new Uint32Array(4)).join('-');
  stored.set(made);
  return made;
}
