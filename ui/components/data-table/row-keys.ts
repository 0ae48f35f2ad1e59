/** The row that a key leads to from the row at `index`; undefined where the key means nothing here. */
export function rowAfterKey(key: string, index: number, count: number, pageSize: number): number | undefined {
  if (count === 0) return undefined;
  const target = targetOf(key, index, count, Math.max(pageSize, 1));
  return target === undefined ? undefined : Math.min(Math.max(target, 0), count - 1);
}

function targetOf(key: string, index: number, count: number, pageSize: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return index + 1;
    case 'ArrowUp':
      return index - 1;
    case 'PageDown':
      return index + pageSize;
    case 'PageUp':
      return index - pageSize;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
