import { AppError } from '#base/errors';
import { noRoom } from '../no-room.ts';
import { MAX_COST, MAX_EVENT_COST } from './limits.ts';

/** What one answer may hold. */
export interface AllowanceBounds {
  readonly values: number;
  /** Of all its texts, as JSON. */
  readonly textBytes: number;
}

/**
 * Of an operation: texts far below what one text in memory can have, and twice what the largest span has: its attributes,
 * and its input and output, which are some of them.
 */
export const OPERATION_BOUNDS: AllowanceBounds = { values: MAX_COST, textBytes: 128 * 1024 * 1024 };

/** Of one event of a subscription: ids and names. Up to a hundred may wait for clients that read slowly. */
export const EVENT_BOUNDS: AllowanceBounds = { values: MAX_EVENT_COST, textBytes: 256 * 1024 };

/** Room that an answer shares with all others. */
export interface AnswerRoom {
  /** Takes room for so many more bytes; `false` where there is none. */
  grow(bytes: number): boolean;
}

/**
 * What an answer may still hold while it is made. Counting before (`limits.ts`) can only assume how long the lists are
 * that have no page, and how long texts are: links of spans that lead to spans with links grow without it.
 */
export class Allowance {
  readonly #bounds: AllowanceBounds;
  readonly #room: AnswerRoom | undefined;
  readonly #onExceeded: (error: Error) => void;
  #values = 0;
  #textBytes = 0;
  #refusal: AppError | undefined;

  /** `onExceeded` is called once at most. */
  constructor(bounds: AllowanceBounds, onExceeded: (error: Error) => void, room?: AnswerRoom) {
    this.#bounds = bounds;
    this.#room = room;
    this.#onExceeded = onExceeded;
  }

  /** Counts a field. @throws AppError `invalid_argument` where there are too many, here and ever after */
  takeField(): void {
    this.#values++;
    if (this.#values <= this.#bounds.values) return;
    this.#refuse(new AppError('invalid_argument', 'The response has too many values. Ask for smaller pages.'));
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
      const message = `The texts in the response have more than ${textBytes} bytes. Ask for fewer.`;
      this.#refuse(new AppError('invalid_argument', message));
    }
    if (this.#room?.grow(bytes) === false) this.#refuse(noRoom());
  }

  #refuse(error: AppError): never {
    if (this.#refusal === undefined) {
      this.#refusal = error;
      this.#onExceeded(error);
    }
    throw this.#refusal;
  }
}

/** About as many bytes as the text takes in JSON, where a control character takes six; a quote takes two, which is left out. */
function countBytes(text: string): number {
  let bytes = Buffer.byteLength(text);
  if (!CONTROL.test(text)) return bytes;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 0x20) bytes += 5;
  return bytes;
}

/** Those that have no short form, and so are no part of ordinary texts. */
const CONTROL = /[\u0000-\u0007\u000b\u000e-\u001f]/;
