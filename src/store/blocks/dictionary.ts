/**
 * A dictionary for the blocks of short traces: what many of them have in common, put before each of them when it is compressed. It holds
 * only pieces that several traces share, so that nothing in it tells of one of them.
 */

/**
 * Makes a dictionary of what the samples, 255 at most, have in common, each the raw contents of a block of another trace: pieces of which every eight
 * bytes are in {@link MIN_SAMPLES} of them at least, those of most samples last, where they are nearest to what refers to them.
 */
export function makeDictionary(samples: readonly Uint8Array[]): Uint8Array {
  const counts = countSamples(samples);
  const pieces: { readonly bytes: Uint8Array; readonly score: number }[] = [];
  for (const sample of samples) {
    let start = -1;
    let score = 0;
    for (let at = 0; at <= sample.length - WINDOW + 1; at++) {
      const hash = at <= sample.length - WINDOW ? hashAt(sample, at) : undefined;
      const count = hash === undefined ? 0 : (counts[hash] as number) >> COUNT_SHIFT;
      if (hash !== undefined && count >= MIN_SAMPLES) {
        if (start === -1) [start, score] = [at, 0];
        score += count;
        // It is taken once.
        counts[hash] = 0;
      } else if (start !== -1) {
        const bytes = sample.subarray(start, at + WINDOW - 1);
        pieces.push({ bytes, score: score / bytes.length });
        start = -1;
      }
    }
  }
  return join(pieces.sort((a, b) => b.score - a.score).map(({ bytes }) => bytes));
}

/** In how many samples each window is, by its hash, above the number of the last of them. */
function countSamples(samples: readonly Uint8Array[]): Uint16Array {
  const counts = new Uint16Array(1 << HASH_BITS);
  for (const [place, sample] of samples.entries()) {
    const number = place + 1;
    for (let at = 0; at <= sample.length - WINDOW; at++) {
      const hash = hashAt(sample, at);
      const seen = counts[hash] as number;
      if ((seen & LAST_SAMPLE) !== number) counts[hash] = ((seen >> COUNT_SHIFT) + 1) * (LAST_SAMPLE + 1) + number;
    }
  }
  return counts;
}

function hashAt(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let place = 0; place < WINDOW; place++) hash = Math.imul(hash ^ (bytes[at + place] as number), 0x5bd1e995) + 1;
  return ((hash ^ (hash >>> 15)) >>> 0) & ((1 << HASH_BITS) - 1);
}

/** The best that there is room for, the very best last. */
function join(pieces: readonly Uint8Array[]): Uint8Array {
  const chosen: Uint8Array[] = [];
  let room = MAX_DICTIONARY_BYTES;
  for (const piece of pieces) {
    if (piece.length > room) continue;
    chosen.push(piece);
    room -= piece.length;
  }
  const dictionary = Buffer.concat(chosen.reverse());
  return dictionary.indexOf(ZSTD_MAGIC) === 0 ? dictionary.subarray(1) : dictionary;
}

/** What begins so is to zstd a dictionary in a format of its own, and refused where it is none. */
const ZSTD_MAGIC = Buffer.from([0x37, 0xa4, 0x30, 0xec]);

const WINDOW = 8;

/** With 20, some hundreds of windows that are in one of 64 samples of 20 kB alone would be taken for shared. */
const HASH_BITS = 24;
const COUNT_SHIFT = 8;
const LAST_SAMPLE = (1 << COUNT_SHIFT) - 1;

/** Traces that must share what a dictionary holds. */
const MIN_SAMPLES = 8;

/** Twice as many took a fifth longer for 1 % less. */
const MAX_DICTIONARY_BYTES = 64 * 1024;
