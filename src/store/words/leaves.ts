/**
 * Leaves of a segment: its words in the order of their code points, each with the texts that hold it. A word is written as what differs
 * from the one before it. Parts of compound words stand beside words, behind a sign. A leaf has its key and that of the next, so that a
 * missing one is noticed.
 */
import { SEAL_BYTES } from '#base/seal';
import { ByteReader, ByteWriter } from './bytes.ts';

/** A row of `search_leaves`, before it is sealed. */
export interface Leaf {
  /** Its words are not before this one, and those of the leaf before it are; empty in the first leaf. */
  readonly key: string;
  readonly lists: Uint8Array;
}

/** What stands before the part of a compound word: no letter, digit or mark. */
export const PART_SIGN = '+';

/** The keys of a leaf and of the next, and their lengths. Longer keys are rare. */
const KEYS_BYTES = 18;

/** With its key and what a row has besides, a leaf fills a page of SQLite. */
const LEAF_BYTES = 8192 - 35 - 24 - SEAL_BYTES - KEYS_BYTES;

/** Makes leaves of words that come in order. */
export class LeafWriter {
  readonly #leaves: Leaf[] = [];
  readonly #writer = new ByteWriter();
  #key: Uint8Array = NOTHING;
  readonly #before = new Uint8Array(MAX_WORD_BYTES);
  #beforeLength = 0;

  /** @param word its bytes, and whatever is beyond */
  add(word: Uint8Array, length: number, list: Uint8Array): void {
    let shared = 0;
    while (shared < length && shared < this.#beforeLength && word[shared] === this.#before[shared]) shared++;
    const most = HEADER_BYTES + length + list.length;
    if (this.#writer.length > 0 && this.#writer.length + this.#key.length + most > LEAF_BYTES) {
      this.#flush(word.slice(0, endOfCharacter(word, shared + 1)));
      shared = 0;
    }
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

  /** All leaves; at least one. */
  finish(): readonly Leaf[] {
    this.#flush(NOTHING);
    return this.#leaves;
  }

  #flush(next: Uint8Array): void {
    const words = this.#writer.peek();
    const lists = new Uint8Array(2 + this.#key.length + next.length + words.length);
    let at = 0;
    for (const key of [this.#key, next]) {
      lists[at++] = key.length;
      lists.set(key, at);
      at += key.length;
    }
    lists.set(words, at);
    this.#leaves.push({ key: decodeWord(this.#key, this.#key.length), lists });
    this.#key = next;
  }
}

/** Where the character ends that has the byte before. */
function endOfCharacter(word: Uint8Array, from: number): number {
  let end = from;
  while (((word[end] ?? 0) & 0xc0) === 0x80) end++;
  return end;
}

function decodeWord(bytes: Uint8Array, length: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, length).toString();
}

/** Two lengths of a word, of at most 256 bytes, and the length of a list. */
const HEADER_BYTES = 5;

/** More than a word and its sign have. */
const MAX_WORD_BYTES = 256;

const NOTHING = new Uint8Array(0);

/** A leaf as it is read. */
export interface OpenLeaf {
  readonly key: Uint8Array;
  /** The key of the next leaf; empty in the last. */
  readonly next: Uint8Array;
  /** The words with their lists. */
  readonly words: Uint8Array;
}

/** Reads the lists of a {@link Leaf}. */
export function readLeaf(lists: Uint8Array): OpenLeaf {
  const reader = new ByteReader(lists);
  const key = reader.readBytes(reader.readByte());
  const next = reader.readBytes(reader.readByte());
  return { key, next, words: lists.subarray(reader.at) };
}

/** Whether all words of the segment from one on stand in these leaves, which are in order; or those before another. */
export function coverWords(leaves: readonly OpenLeaf[], from: Uint8Array, end?: Uint8Array): boolean {
  const [first, last] = [leaves[0], leaves.at(-1)];
  if (first === undefined || last === undefined || Buffer.compare(first.key, from) > 0) return false;
  for (const [at, { key }] of leaves.slice(1).entries()) {
    if (key.length === 0 || Buffer.compare((leaves[at] as OpenLeaf).next, key) !== 0) return false;
  }
  return last.next.length === 0 || (end !== undefined && Buffer.compare(end, last.next) <= 0);
}

/** Goes through the words of leaves, in order. */
export class LeafCursor {
  /** The bytes of the word, and whatever is beyond. */
  readonly word = new Uint8Array(MAX_WORD_BYTES);
  length = 0;
  /** Where in {@link lists} the list of the word is. */
  listStart = 0;
  listEnd = 0;
  lists: Uint8Array = new Uint8Array(0);
  readonly #leaves: Iterator<OpenLeaf>;

  constructor(leaves: Iterable<OpenLeaf>) {
    this.#leaves = leaves[Symbol.iterator]();
  }

  /** Goes on to the next word; says whether there is one. */
  advance(): boolean {
    let at = this.listEnd;
    while (at >= this.lists.length) {
      const next = this.#leaves.next();
      if (next.done) return false;
      this.lists = next.value.words;
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
export function findInLeaf({ words }: OpenLeaf, wanted: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(words);
  /** How many bytes the word before and the wanted one begin with alike. */
  let alike = 0;
  while (!reader.isAtEnd) {
    const shared = reader.readByte();
    const length = reader.readByte();
    const start = reader.at;
    const end = start + length;
    // One that shares less with the one before it is past all that begin like the wanted one.
    if (shared < alike) return undefined;
    let isFound = false;
    if (shared === alike) {
      let at = start;
      while (at < end && words[at] === wanted[shared + at - start]) at++;
      alike += at - start;
      isFound = at === end && alike === wanted.length;
    }
    reader.at = end;
    const listLength = reader.readVarint();
    if (isFound) return reader.readBytes(listLength);
    reader.at += listLength;
  }
  return undefined;
}

/** Orders words by their bytes, which is how engines order texts. */
export function compareWords(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
  const length = Math.min(aLength, bLength);
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return (a[at] as number) - (b[at] as number);
  return aLength - bLength;
}
