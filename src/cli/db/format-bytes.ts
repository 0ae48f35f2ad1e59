/** A size for people, with three digits that count. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  for (const unit of ['B', 'KiB', 'MiB', 'GiB'] as const) {
    if (size < 1000) return `${unit === 'B' ? size : size.toPrecision(3)} ${unit}`;
    size /= 1024;
  }
  return `${size.toFixed(size < 10 ? 2 : 0)} TiB`;
}
