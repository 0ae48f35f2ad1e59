/** What is to be said about the tokens that a span claims, beside the counts. */

/** What a remark is about. */
export const TOKEN_REMARK_KINDS = [
  /** A count was sent without tokens that belong to it, and is shown with them. */
  'parts_left_out',
  /** The total that was sent is not input and output. */
  'total_differs',
  /** Two attributes give different counts of the same. */
  'names_disagree',
  /** A part is larger than the whole. */
  'part_exceeds_whole',
  /** A count is negative: sums take it for nothing. */
  'negative',
] as const;

/** One of {@link TOKEN_REMARK_KINDS}. */
export type TokenRemarkKind = (typeof TOKEN_REMARK_KINDS)[number];

/** A remark with its reason: a convention that was found out, or a contradiction, which nothing repairs. */
export interface TokenRemark {
  readonly kind: TokenRemarkKind;
  /** A sentence with the numbers in it. */
  readonly message: string;
}
