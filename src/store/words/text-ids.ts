/**
 * Ids of texts in the search index. A text has an id from the span that held it first and a number among that span's new
 * texts, so ids ascend in order of arrival, and lead to a span without a table.
 *
 * A text is indexed once for each trace and part: a stretch of row ids of spans, in which everything about its spans can be
 * found. That bounds how far the spans that repeat a text can lie behind it, and so what a search must look at to know
 * which are the newest.
 */

/** Spans of a part. */
export const PART_SPANS = 2 ** 14;

/** Texts that one span can be the first to hold. */
export const SPAN_TEXTS = 2 ** 12;

/** Texts of a part. */
const PART_TEXTS = PART_SPANS * SPAN_TEXTS;

/** A stretch of ids, both ends inclusive. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** The part of a span. */
export function partOfSpan(spanRowId: number): number {
  return Math.floor(spanRowId / PART_SPANS);
}

/** The part of a text. */
export function partOfText(textId: number): number {
  return Math.floor(textId / PART_TEXTS);
}

/** Ids of the texts of a part. */
export function textsOfPart(part: number): IdRange {
  return { first: part * PART_TEXTS, last: (part + 1) * PART_TEXTS - 1 };
}

/** Row ids of the spans of a part. */
export function spansOfPart(part: number): IdRange {
  return { first: part * PART_SPANS, last: (part + 1) * PART_SPANS - 1 };
}

/** Ids of the texts that spans of a range were the first to hold. */
export function textsOfSpans({ first, last }: IdRange): IdRange {
  return { first: first * SPAN_TEXTS, last: (last + 1) * SPAN_TEXTS - 1 };
}

/** The span that held the text first. */
export function spanOfText(textId: number): number {
  return Math.floor(textId / SPAN_TEXTS);
}

/** The id of a span's new text by its number. */
export function textId(spanRowId: number, ordinal: number): number {
  return spanRowId * SPAN_TEXTS + ordinal;
}
