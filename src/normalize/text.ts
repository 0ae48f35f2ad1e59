/** Text that SQLite and PostgreSQL can both hold; what was sent stays in the original bytes. */

/** The text with U+FFFD in place of NUL, which PostgreSQL refuses, and of lone surrogates, which UTF-8 cannot carry. */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes('\0') ? whole.replaceAll('\0', '\uFFFD') : whole;
}
