/**
 * Compiles comma-separated key patterns into a test of an attribute's key. `*` stands for any characters, dots included;
 * letter case does not matter; the whole key must match. Without a pattern, no key matches. The test takes time linear
 * in the length of the key.
 */
export function compileRedaction(patterns: string): (key: string) => boolean {
  const matchers = patterns
    .split(',')
    .map((pattern) => pattern.trim().toLowerCase())
    .filter((pattern) => pattern !== '')
    .map((pattern) => pattern.split('*'));
  return (key) => {
    const lowered = key.toLowerCase();
    return matchers.some((parts) => matches(parts, lowered));
  };
}

/** Whether the key consists of the parts in their order, with anything between them. */
function matches(parts: readonly string[], key: string): boolean {
  const first = parts[0] ?? '';
  if (parts.length === 1) return key === first;
  const last = parts[parts.length - 1] ?? '';
  if (key.length < first.length + last.length || !key.startsWith(first) || !key.endsWith(last)) return false;
  const end = key.length - last.length;
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = key.indexOf(part, position);
    if (found < 0 || found + part.length > end) return false;
    position = found + part.length;
  }
  return true;
}
