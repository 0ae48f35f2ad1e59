/**
 * Where a narrow row does not tell whether a span has an attribute. The row lists what it leaves out: keys of long texts and
 * of plain lists, and `prefix.` of lists that hold objects (`derive/narrow-row.ts`).
 */
import { isInside } from '#derive/narrow-member';

/**
 * Whether the attribute of the path may be in what an entry of the list stands for: the entry itself, something in it, or
 * something that it is in.
 */
export function mayHide(entry: string, path: string): boolean {
  const key = entry.endsWith('.') ? entry.slice(0, -1) : entry;
  return key === path || isInside(key, path) || isInside(path, key);
}

/** Whether the entries leave out the attribute of the path as such, and nothing that it is in, or that is in it. */
export function leavesOut(entries: readonly string[], path: string): boolean {
  return entries.includes(path) && entries.every((entry) => entry === path || !mayHide(entry, path));
}
