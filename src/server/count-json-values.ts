/** Bounds from above how many values JSON has, objects and lists included, without making them: commas and opening brackets outside of texts. */
export function countJsonValues(json: Uint8Array): number {
  let count = 1;
  for (let place = 0; place < json.length; place++) {
    const byte = json[place];
    if (byte === QUOTE) place = endOfText(json, place + 1);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) count++;
  }
  return count;
}

/** Where the text that began before `from` ends; the end of the JSON where it does not. */
function endOfText(json: Uint8Array, from: number): number {
  for (let place = from; place < json.length; place++) {
    const byte = json[place];
    if (byte === QUOTE) return place;
    if (byte === BACKSLASH) place++;
  }
  return json.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
