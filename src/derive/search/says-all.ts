/** Whether a value says all that its JSON does. */
import { endOfString } from '#base/json-string';

/**
 * Whether every string and number of the JSON text is in its value as it is written. Members of one name hide each other, and numbers
 * have several spellings.
 * @param json well-formed
 */
export function saysAll(json: string, value: unknown): boolean {
  let stringCount = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      stringCount++;
      at = endOfString(json, at);
    } else if (code === MINUS || isDigit(code)) {
      const start = at;
      while (isOfNumber(json.charCodeAt(at + 1))) at++;
      if (!isPlain(json.slice(start, at + 1))) return false;
    }
  }
  return countStrings(value, 0) === stringCount;
}

const [QUOTE, MINUS, PLUS, POINT, ZERO, NINE] = [0x22, 0x2d, 0x2b, 0x2e, 0x30, 0x39];
const [LOWER_E, UPPER_E] = [0x65, 0x45];

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isOfNumber(code: number): boolean {
  return isDigit(code) || code === POINT || code === MINUS || code === PLUS || code === LOWER_E || code === UPPER_E;
}

function isPlain(number: string): boolean {
  return String(Number(number)) === number;
}

/** Keys and texts; of what lies deeper than anything is searched, none. */
function countStrings(value: unknown, depth: number): number {
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const member of Object.values(value)) count += countStrings(member, depth + 1);
  return count;
}

const MAX_DEPTH = 64;
