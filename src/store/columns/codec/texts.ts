/** Lists of texts, all in one: a decoder makes parts of one text far faster than texts of many parts. */
import type { ByteReader, ByteWriter } from './bytes.ts';
import { readNumbers, writeNumbers } from './numbers.ts';

const ENCODINGS = ['latin1', 'utf16le'] as const;

/** Writes any texts, halves of surrogate pairs included. */
export function writeTexts(out: ByteWriter, texts: readonly string[]): void {
  const all = texts.join('');
  const encoding = BEYOND_LATIN.test(all) ? 1 : 0;
  writeNumbers(
    out,
    Float64Array.from(texts, (text) => text.length),
  );
  const bytes = Buffer.from(all, ENCODINGS[encoding]);
  out.byte(encoding);
  out.size(bytes.length);
  out.bytes(bytes);
}

const BEYOND_LATIN = /[\u0100-\uffff]/;

/** Reads what {@link writeTexts} wrote. */
export function readTexts(from: ByteReader): string[] {
  const lengths = readNumbers(from);
  const encoding = ENCODINGS[from.byte()];
  if (encoding === undefined) throw new RangeError('texts are in an unknown encoding');
  const all = from.bytes(from.size()).toString(encoding);
  const texts = new Array<string>(lengths.length);
  let start = 0;
  for (let place = 0; place < lengths.length; place++) {
    const end = start + (lengths[place] as number);
    texts[place] = all.slice(start, end);
    start = end;
  }
  return texts;
}
