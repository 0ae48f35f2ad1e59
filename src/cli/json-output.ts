/** A value as JSON for a terminal: what it would obey, and what turns the direction of text, is escaped. */
export function formatJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `${json.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/gu, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
