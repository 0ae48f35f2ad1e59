import { AppError } from '#base/errors';
import { noRoom } from '../no-room.ts';

/** What one answer may hold. */
export interface AllowanceBounds {
  readonly values: number;
  /** Of all its texts, as JSON. */
  readonly textBytes: number;
}

/**
 * Of an operation: values that keep the main thread for half a second in all, five times what a page of 1000 spans with 50
 * fields has; texts far below what one text in memory can have, and twice what the largest span has: its attributes, and
 * its input and output, which are some of them.
 */
export const OPERATION_BOUNDS: AllowanceBounds = { values: 250_000, textBytes: 128 * 1024 * 1024 };

/** Bound on one event of a subscription, which holds ids and names; the server may send a hundred of them four times a second. */
export const EVENT_BOUNDS: AllowanceBounds = { values: 5000, textBytes: 256 * 1024 };

/** Memory that a value takes until the answer is sent, texts of ids included: measured 89 bytes. */
const VALUE_BYTES = 90;

/** So many values take their room at once. The first of them, which are all that a page of a table has, take none. */
const VALUES_OF_A_STEP = 8192;

/** Memory that a page takes while it waits for its turn: measured 1900 bytes. */
const PAGE_BYTES = 2048;

/** A field that fails keeps an error with its path and a trace of calls, which is as much as a row of fields. */
const FAILURE_VALUES = 20;

/** Room that an answer shares with all others. */
export interface AnswerRoom {
  /** Takes room for so many more bytes; `false` where there is none. */
  grow(bytes: number): boolean;
}

/**
 * Counts what an answer holds while it is made, and ends it where that is too much. What an operation may return says little
 * about what it returns: lists of 1000 within lists of 1000 are usual, and usually short.
 */
export class Allowance {
  readonly #bounds: AllowanceBounds;
  readonly #room: AnswerRoom | undefined;
  readonly #namesOfObject: number;
  readonly #onExceeded: (error: Error) => void;
  #values = 0;
  /** At so many values there is something to do: more room to take, or to refuse. */
  #nextStop: number;
  #textBytes = 0;
  #refusal: AppError | undefined;

  /**
   * `onExceeded` is called once at most. `namesOfObject` is how many other names the document gives `__typename`, which no
   * resolver of ours answers.
   */
  constructor(
    bounds: AllowanceBounds,
    onExceeded: (error: Error) => void,
    { room, namesOfObject = 0 }: { readonly room?: AnswerRoom | undefined; readonly namesOfObject?: number } = {},
  ) {
    this.#bounds = bounds;
    this.#nextStop = Math.min(VALUES_OF_A_STEP, bounds.values);
    this.#room = room;
    this.#namesOfObject = namesOfObject;
    this.#onExceeded = onExceeded;
  }

  /**
   * Counts values: a field as often as it costs, before it is read; elements of a list once it was.
   * @throws AppError `invalid_argument` where there are too many, `unavailable` where other answers leave no room, here and
   * ever after
   */
  takeValues(count: number): void {
    this.#values += count;
    if (this.#values > this.#nextStop) this.#stop();
  }

  /** Counts objects that a field leads to, whose own fields are counted by themselves. @throws AppError like the others */
  takeObjects(count: number): void {
    if (this.#namesOfObject > 0) this.takeValues(count * this.#namesOfObject);
  }

  /** Takes room for a page that is asked for. @throws AppError like the others */
  takePage(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    this.#takeRoom(PAGE_BYTES);
  }

  /** Counts a field that failed. @throws AppError like the others */
  takeFailure(): void {
    this.takeValues(FAILURE_VALUES);
  }

  /**
   * Counts what a field answers, if it is text or a list of texts.
   * @throws AppError `invalid_argument` where the texts are too long, `unavailable` where other answers leave no room,
   * here and ever after
   */
  takeText<Value>(value: Value): Value {
    if (Array.isArray(value)) for (const text of value) this.#takeOne(text);
    else this.#takeOne(value);
    return value;
  }

  #takeOne(value: unknown): void {
    if (typeof value !== 'string') return;
    const bytes = countBytes(value);
    this.#textBytes += bytes;
    const { textBytes } = this.#bounds;
    if (this.#textBytes > textBytes) {
      const limit = textBytes.toLocaleString('en');
      this.#refuse(`The response has more than ${limit} bytes of text. ${LESS}`);
    }
    this.#takeRoom(bytes);
  }

  #stop(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    const { values } = this.#bounds;
    if (this.#values > values) {
      this.#refuse(`The response has more than ${values.toLocaleString('en')} values. ${LESS}`);
    }
    const taken = this.#nextStop;
    this.#nextStop = Math.min(Math.ceil(this.#values / VALUES_OF_A_STEP) * VALUES_OF_A_STEP, values);
    this.#takeRoom((this.#nextStop - taken) * VALUE_BYTES);
  }

  #takeRoom(bytes: number): void {
    if (this.#room?.grow(bytes) === false) this.#end(noRoom());
  }

  #refuse(message: string): never {
    this.#end(new AppError('invalid_argument', message));
  }

  #end(error: AppError): never {
    if (this.#refusal === undefined) {
      this.#refusal = error;
      this.#nextStop = -1;
      this.#onExceeded(error);
    }
    throw this.#refusal;
  }
}

const LESS = 'Ask for smaller pages, fewer fields, or fewer objects: a filter or a time range helps.';

/** About as many bytes as the text takes in JSON, where a control character takes six; a quote takes two, which is left out. */
function countBytes(text: string): number {
  let bytes = Buffer.byteLength(text);
  if (!CONTROL.test(text)) return bytes;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 0x20) bytes += 5;
  return bytes;
}

/** Those that have no short form, and so are no part of ordinary texts. */
const CONTROL = /[\u0000-\u0007\u000b\u000e-\u001f]/;
