/** Strings in texts of JSON that are not parsed. */

/** Where the string that starts here has its closing quote; the end of the text where it has none. */
export function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return json.length;
}

const BACKSLASH = 0x5c;
