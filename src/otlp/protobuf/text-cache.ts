/**
 * Short texts by their UTF-8 bytes: a text that was met before is returned without decoding it again.
 * A fixed number of slots, each overwritten by the next text of its hash, so that no input can make it grow.
 */
export class TextCache {
  readonly #texts: string[] = new Array<string>(SLOT_COUNT).fill('');

  /** The text of `bytes[start, end)`; bytes that are not UTF-8 become U+FFFD. */
  get(bytes: Buffer, start: number, end: number): string {
    const length = end - start;
    if (length === 0) return '';
    if (length > MAX_TEXT_BYTES) return bytes.toString('utf8', start, end);
    let hash = length;
    for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    const slot = (hash ^ (hash >>> 15)) & (SLOT_COUNT - 1);
    const known = this.#texts[slot] ?? '';
    if (isAsciiOf(known, bytes, start, length)) return known;
    const text = bytes.toString('utf8', start, end);
    this.#texts[slot] = text;
    return text;
  }
}

const SLOT_COUNT = 4096;
const MAX_TEXT_BYTES = 96;

/** Whether the text is exactly those bytes; only ever true of ASCII. */
function isAsciiOf(text: string, bytes: Buffer, start: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let index = 0; index < length; index++) {
    const code = bytes[start + index] ?? 0;
    if (code >= 0x80 || code !== text.charCodeAt(index)) return false;
  }
  return true;
}
