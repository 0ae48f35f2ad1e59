/** How large a filter may be, so that reading one takes little time and none overflows a stack. */

/** UTF-16 units of a text. */
export const MAX_FILTER_LENGTH = 65_536;

/** Comparisons, and other operands of `and` and `or`. */
export const MAX_TERMS = 2_000;

/** Brackets, `not`, signs and operators inside one another. */
export const MAX_NESTING = 100;

/** Names of annotations in one filter: each is looked at together with every other. */
export const MAX_ANNOTATION_NAMES = 16;

/** Diagnostics of one filter; the first are told. */
export const MAX_DIAGNOSTICS = 50;
