/**
 * A segment of the index of words: some texts of a part, the words that they hold, and for each word which of them. Texts have places in
 * it, in the order of their ids. Where in a text a word stands, only the text says.
 */
import { constants, zstdCompressSync } from 'node:zlib';
import { visitWords, type WordVisitor } from '#derive/search/tokenizer';
import { ByteWriter } from './bytes.ts';
import { compareWords, type Leaf, LeafWriter, PART_SIGN } from './leaves.ts';
import { writePostings } from './postings.ts';
import { packRuns } from './text-runs.ts';
import { WordPlaces } from './word-places.ts';

/** What is stored of a segment, before it is sealed: a row of `search_segments` with its leaves. */
export interface Segment {
  /** Ids of the texts after the first of the part, by their places. */
  readonly offsets: Int32Array;
  /** The same, packed as runs. */
  readonly texts: Uint8Array;
  /** A byte for each: {@link packLength}. */
  readonly lengths: Uint8Array;
  readonly vocabularySize: number;
  /** Its words, compressed, each in a line. */
  readonly vocabulary: Uint8Array;
  readonly leaves: readonly Leaf[];
  /** Bytes of all this. */
  readonly size: number;
}

/** A text to be indexed. */
export interface TextToIndex {
  /** The place of its id after the first of the part. */
  readonly offset: number;
  readonly text: string;
}

/** A segment of texts, by ascending id. */
export function buildSegment(texts: readonly TextToIndex[]): Segment {
  const words = new WordPlaces();
  const lengths = new Uint8Array(texts.length);
  let [place, length] = [0, 0];
  const visitor: WordVisitor = {
    word(word) {
      length++;
      words.addWord(word, place);
    },
    plainWord(text, units, start, end) {
      length++;
      words.add(text, units, start, end, place);
    },
    part: (part) => words.addWord(PART_SIGN + part, place),
  };
  for (; place < texts.length; place++) {
    length = 0;
    visitWords((texts[place] as TextToIndex).text, visitor);
    lengths[place] = packLength(length);
  }
  const assembler = new SegmentAssembler(
    Int32Array.from(texts, ({ offset }) => offset),
    lengths,
  );
  const entries = words.entries().map(({ word, places }) => ({ bytes: Buffer.from(word), places }));
  entries.sort((a, b) => compareWords(a.bytes, a.bytes.length, b.bytes, b.bytes.length));
  for (const { bytes, places } of entries) assembler.add(bytes, bytes.length, places, places.length);
  return assembler.finish();
}

/** Puts a segment together from lists that come in the order of their words. */
export class SegmentAssembler {
  readonly #offsets: Int32Array;
  readonly #lengths: Uint8Array;
  readonly #leaves = new LeafWriter();
  readonly #list = new ByteWriter();
  readonly #words = new ByteWriter();

  constructor(offsets: Int32Array, lengths: Uint8Array) {
    this.#offsets = offsets;
    this.#lengths = lengths;
    this.#words.writeByte(LINE_END);
  }

  /** @param word its bytes, and whatever is beyond, as with `places` */
  add(word: Uint8Array, length: number, places: ArrayLike<number>, count: number): void {
    writePostings(this.#list, places, count);
    this.#leaves.add(word, length, this.#list.peek());
    if (word[0] === SIGN) return;
    for (let at = 0; at < length; at++) this.#words.writeByte(word[at] as number);
    this.#words.writeByte(LINE_END);
  }

  finish(): Segment {
    const leaves = this.#leaves.finish();
    const texts = packRuns(this.#offsets);
    const words = this.#words.peek();
    const vocabulary = zstdCompressSync(words, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
    const size =
      texts.length +
      this.#lengths.length +
      vocabulary.length +
      leaves.reduce((sum, { key, lists }) => sum + key.length + lists.length, 0);
    const [offsets, lengths] = [this.#offsets, this.#lengths];
    return { offsets, texts, lengths, vocabularySize: words.length, vocabulary, leaves, size };
  }
}

const LINE_END = 0x0a;
const SIGN = PART_SIGN.charCodeAt(0);

/** How many words a text has, in a byte: exactly up to 16, then in steps of 4.5 %. */
function packLength(length: number): number {
  if (length <= EXACT) return length;
  return Math.min(EXACT + Math.round(STEPS_PER_DOUBLING * Math.log2(length / EXACT)), 0xff);
}

/** About how many words the byte stands for. */
export function unpackLength(byte: number): number {
  return byte <= EXACT ? byte : EXACT * 2 ** ((byte - EXACT) / STEPS_PER_DOUBLING);
}

const EXACT = 16;
const STEPS_PER_DOUBLING = 16;
