/** Where a filter is underlined. */
import type { Diagnostic } from '#filter/diagnostic';

/** A stretch of the text that is faulty throughout, or nowhere. */
export interface Stretch {
  readonly start: number;
  readonly part: string;
  readonly severity: Diagnostic['severity'] | null;
}

/** The whole text in stretches; a fault of no length underlines what stands there, or the last letter. */
export function cutAtFaults(text: string, faults: readonly Diagnostic[]): readonly Stretch[] {
  const severities = Array.from<Stretch['severity']>({ length: text.length }).fill(null);
  for (const { start, end, severity } of faults) {
    const from = Math.max(Math.min(start, text.length - 1), 0);
    for (let at = from; at < Math.min(Math.max(end, from + 1), text.length); at++)
      if (severities[at] !== 'error') severities[at] = severity;
  }
  const stretches: Stretch[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start + 1;
    while (end < text.length && severities[end] === severities[start]) end++;
    stretches.push({ start, part: text.slice(start, end), severity: severities[start] ?? null });
    start = end;
  }
  return stretches;
}
