/**
 * Patterns for the document: which texts the rules of the domain accept, as far as a pattern without Unicode's properties can say it.
 * The rules themselves stay in the domain, which says in a sentence what is wrong.
 */

/** White space, and what is not drawn. */
const INVISIBLE =
  '\\t-\\r \\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8';

/** A text of any characters but NUL, which PostgreSQL does not store. */
export const WITHOUT_NUL = '^[^\\u0000]*$';

/** The same with something besides white space in it. */
export const NOT_BLANK = notBlank('\\u0000');

/** A line without control characters in which something is visible. */
export const VISIBLE_LINE = notBlank('\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029');

/** A line without control characters, or nothing. */
export const CONTROL_FREE_LINE = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** A visible line without marks that turn the text around them. */
export const PLAIN_LINE = notBlank('\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069');

/** Lines without control characters, or nothing. */
export const LINES = '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$';

/** The same without marks that turn the text around them. */
export const PLAIN_LINES =
  '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$';

function notBlank(excluded: string): string {
  return `^[^${excluded}]*[^${excluded}${INVISIBLE}][^${excluded}]*$`;
}
