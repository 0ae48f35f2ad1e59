/**
 * Arrays for the columns of one batch, used again for the next: their memory is outside of the heap, and V8 looks through a whole heap
 * after every few dozen megabytes of it, which a month has several times.
 */

/** Takes an array of that length, with anything in it. */
export type TakeArray<Taken> = (length: number) => Taken;

/** Arrays of numbers and of codes. */
export class ReusedArrays {
  readonly #numbers = new Reused((length) => new Float64Array(length));
  readonly #codes = new Reused((length) => new Uint16Array(length));

  readonly takeNumbers: TakeArray<Float64Array> = (length) => this.#numbers.take(length);
  readonly takeCodes: TakeArray<Uint16Array> = (length) => this.#codes.take(length);

  /** Says that nobody reads any longer what was taken. */
  takeBack(): void {
    this.#numbers.takeBack();
    this.#codes.takeBack();
  }
}

/** Takes new arrays. */
export const NEW_ARRAYS: Pick<ReusedArrays, 'takeNumbers' | 'takeCodes'> = {
  takeNumbers: (length) => new Float64Array(length),
  takeCodes: (length) => new Uint16Array(length),
};

class Reused<Taken extends Float64Array | Uint16Array> {
  readonly #create: TakeArray<Taken>;
  readonly #arrays: Taken[] = [];
  #takenCount = 0;

  constructor(create: TakeArray<Taken>) {
    this.#create = create;
  }

  take(length: number): Taken {
    const place = this.#takenCount++;
    const array = this.#arrays[place];
    if (array !== undefined && array.length >= length) {
      return array.length === length ? array : (array.subarray(0, length) as Taken);
    }
    return (this.#arrays[place] = this.#create(length));
  }

  takeBack(): void {
    this.#takenCount = 0;
  }
}
