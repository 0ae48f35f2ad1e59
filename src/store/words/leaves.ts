/**
 * Leaves of a segment: its words in the order of their code points, each with the texts that hold it. A word is written as what differs
 * from the one before it. Parts of compound words stand beside words, behind a sign.
 */
import { ByteReader, ByteWriter } from './bytes.ts';
import { damagedWords } from './damaged-words.ts';

/** A row of `search_leaves`. */
export interface Leaf {
  readonly firstWord: string;
  readonly lists: Uint8Array;
}

/** What stands before the part of a compound word: no letter, digit or mark. */
export const PART_SIGN = '+';

/** With its first word and what a row has besides, a leaf fills a page of SQLite. */
const LEAF_BYTES = 8192 - 35 - 24;

/** Makes leaves of words that come in order. */
export class LeafWriter {
  readonly leaves: Leaf[] = [];
  readonly #writer = new ByteWriter();
  #firstWord = '';
  readonly #before = new Uint8Array(MAX_WORD_BYTES);
  #beforeLength = 0;

  /** @param word its bytes, and whatever is beyond */
  add(word: Uint8Array, length: number, list: Uint8Array): void {
    const most = HEADER_BYTES + length + list.length;
    if (this.#writer.length > 0 && this.#writer.length + this.#firstWord.length + most > LEAF_BYTES) this.flush();
    if (this.#writer.length === 0) {
      this.#firstWord = decodeWord(word, length);
      this.#beforeLength = 0;
    }
    let shared = 0;
    while (shared < length && shared < this.#beforeLength && word[shared] === this.#before[shared]) shared++;
    this.#writer.writeByte(shared);
    this.#writer.writeByte(length - shared);
    for (let at = shared; at < length; at++) {
      this.#writer.writeByte(word[at] as number);
      this.#before[at] = word[at] as number;
    }
    this.#beforeLength = length;
    this.#writer.writeVarint(list.length);
    this.#writer.writeBytes(list);
  }

  /** Ends the leaf. */
  flush(): void {
    if (this.#writer.length === 0) return;
    this.leaves.push({ firstWord: this.#firstWord, lists: this.#writer.take() });
  }
}

function decodeWord(bytes: Uint8Array, length: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString();
}

/** Two lengths of a word, of at most 256 bytes, and the length of a list. */
const HEADER_BYTES = 5;

/** More than a word and its sign have. */
const MAX_WORD_BYTES = 256;

/** Goes through the words of leaves, in order. */
export class LeafCursor {
  /** The bytes of the word, and whatever is beyond. */
  readonly word = new Uint8Array(MAX_WORD_BYTES);
  length = 0;
  /** Where in {@link lists} the list of the word is. */
  listStart = 0;
  listEnd = 0;
  lists: Uint8Array = new Uint8Array(0);
  readonly #leaves: Iterator<Uint8Array>;

  constructor(leaves: Iterable<Uint8Array>) {
    this.#leaves = leaves[Symbol.iterator]();
  }

  /** Goes on to the next word; says whether there is one. @throws AppError `data_damaged` */
  advance(): boolean {
    let at = this.listEnd;
    while (at >= this.lists.length) {
      const next = this.#leaves.next();
      if (next.done) return false;
      this.lists = next.value;
      at = 0;
    }
    const { lists, word } = this;
    const shared = lists[at++] as number;
    this.length = shared + (lists[at++] as number);
    for (let place = shared; place < this.length; place++) word[place] = lists[at++] as number;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = lists[at++] as number;
      length |= (byte & 0x7f) << shift;
      if (!(byte >= 0x80)) break;
    }
    if (length < 0 || at + length > lists.length) throw damagedWords();
    this.listStart = at;
    this.listEnd = at + length;
    return true;
  }

  get text(): string {
    return decodeWord(this.word, this.length);
  }

  get list(): Uint8Array {
    return this.lists.subarray(this.listStart, this.listEnd);
  }
}

/** The list of one word; `undefined` where the leaf does not have it. */
export function findInLeaf(lists: Uint8Array, sought: string): Uint8Array | undefined {
  const wanted = Buffer.from(sought);
  const reader = new ByteReader(lists);
  /** How many bytes the word before and the wanted one begin with alike. */
  let alike = 0;
  while (!reader.isAtEnd) {
    const shared = reader.readByte();
    const suffix = reader.readBytes(reader.readByte());
    const listLength = reader.readVarint();
    // One that shares less with the one before it is past all that begin like the wanted one.
    if (shared < alike) return undefined;
    if (shared === alike) {
      let at = 0;
      while (at < suffix.length && suffix[at] === wanted[alike + at]) at++;
      if (at === suffix.length && alike + at === wanted.length) return reader.readBytes(listLength);
      alike += at;
    }
    reader.readBytes(listLength);
  }
  return undefined;
}

/** Orders words by their bytes, which is how engines order texts. */
export function compareWords(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
  const length = Math.min(aLength, bLength);
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return (a[at] as number) - (b[at] as number);
  return aLength - bLength;
}
