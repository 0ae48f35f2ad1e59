/** Moves through a list by keys while the field above it has the focus. */

const PAGE = 8;

/** The place after a key was pressed; undefined for keys that do not move. At the ends it goes round. */
export function indexAfterKey(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  switch (key) {
    case 'ArrowDown':
      return (index + 1) % count;
    case 'ArrowUp':
      return (index - 1 + count) % count;
    case 'PageDown':
      return Math.min(count - 1, index + PAGE);
    case 'PageUp':
      return Math.max(0, index - PAGE);
    default:
      return undefined;
  }
}
