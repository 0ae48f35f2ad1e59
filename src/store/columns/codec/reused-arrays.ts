/**
 * Arrays that hold the columns of one batch, and then those of the next. Typed arrays have their memory outside of the heap, and V8 marks
 * the whole heap once a thread has allocated some dozen megabytes there: new arrays for each batch of a month are several times that.
 */

/** Gives an array of that length; what it holds is undefined. */
export type TakeArray<Taken> = (length: number) => Taken;

/** Arrays of numbers and of codes. */
export class ReusedArrays {
  readonly #numbers = new Reused((length) => new Float64Array(length));
  readonly #codes = new Reused((length) => new Uint16Array(length));

  readonly takeNumbers: TakeArray<Float64Array> = (length) => this.#numbers.take(length);
  readonly takeCodes: TakeArray<Uint16Array> = (length) => this.#codes.take(length);

  /** Ends the use of all arrays that were taken; the next ones share their memory. */
  takeBack(): void {
    this.#numbers.takeBack();
    this.#codes.takeBack();
  }
}

/** Gives the arrays that hold the columns of a batch. */
export type ColumnArrays = Pick<ReusedArrays, 'takeNumbers' | 'takeCodes'>;

/** Gives new arrays. */
export const NEW_ARRAYS: ColumnArrays = {
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
