/** A text for comparing without regard to case, by Unicode's rules. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}
