/** The rows that come first in an order, out of a stream of rows in any order, in bounded memory. */
import { comparePlaces, type Direction, type Place } from '../place.ts';

/** A row that may be of a page. */
export interface Candidate {
  readonly place: Place;
  /** Whether its original must be read to know that it matches. */
  readonly isUncertain: boolean;
}

/** Keeps the first so many of what it is offered. */
export class BestCandidates {
  readonly #capacity: number;
  readonly #direction: Direction;
  readonly #kept: Candidate[] = [];
  /** Nothing beyond is kept. */
  #end: Place | null = null;
  #hasLost = false;

  constructor(capacity: number, direction: Direction) {
    this.#capacity = capacity;
    this.#direction = direction;
  }

  /** The last place up to which nothing was left out; `null` while nothing was at all. */
  get end(): Place | null {
    return this.#hasLost ? this.#end : null;
  }

  /** Whether a row of that place would be kept. */
  takes(value: Place['value'], rowId: number): boolean {
    if (this.#end === null || comparePlaces(value, rowId, this.#end, this.#direction) < 0) return true;
    this.#hasLost = true;
    return false;
  }

  /** Whether it is full of rows that come before the place, and so before all that is there or after it. */
  isClosedTo({ value, rowId }: Place): boolean {
    this.#trim();
    return this.#end !== null && comparePlaces(value, rowId, this.#end, this.#direction) > 0;
  }

  /** Offers a row that it {@link takes}. */
  add(candidate: Candidate): void {
    this.#kept.push(candidate);
    if (this.#kept.length >= this.#capacity * 2) this.#trim();
  }

  /**
   * Takes out those that come before a place, or all, in order.
   * @param frontier no row that is not offered yet comes before it
   */
  takeBefore(frontier: Place | null): readonly Candidate[] {
    this.#trim();
    const end =
      frontier === null
        ? this.#kept.length
        : this.#kept.findIndex(({ place }) => comparePlaces(place.value, place.rowId, frontier, this.#direction) >= 0);
    return this.#kept.splice(0, end === -1 ? this.#kept.length : end);
  }

  #trim(): void {
    const direction = this.#direction;
    this.#kept.sort((a, b) => comparePlaces(a.place.value, a.place.rowId, b.place, direction));
    if (this.#kept.length < this.#capacity) return;
    if (this.#kept.length > this.#capacity) this.#hasLost = true;
    this.#kept.length = this.#capacity;
    this.#end = this.#kept.at(-1)?.place ?? null;
  }
}
