/** Part of a text. */
export interface TextPart {
  readonly text: string;
  readonly isHit: boolean;
}

/** Ranges in UTF-16 code units, the end exclusive. */
export interface MarkedRange {
  readonly start: number;
  readonly end: number;
}

/** A text cut where ranges of it begin and end; what does not lie in the text, or lies in an earlier range, marks nothing. */
export function markRanges(text: string, ranges: readonly MarkedRange[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    if (start < from || end <= start || end > text.length) continue;
    if (start > from) parts.push({ text: text.slice(from, start), isHit: false });
    parts.push({ text: text.slice(start, end), isHit: true });
    from = end;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isHit: false });
  return parts;
}
