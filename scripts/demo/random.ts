import { createHash } from 'node:crypto';

/** A stream of numbers that depends on its labels alone: equal labels always give the equal stream. */
export class Random {
  readonly #label: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(...labels: readonly (string | number)[]) {
    this.#label = labels.join('/');
    const digest = createHash('sha256').update(this.#label).digest();
    this.#a = digest.readInt32LE(0);
    this.#b = digest.readInt32LE(4);
    this.#c = digest.readInt32LE(8);
  }

  /** A stream of its own, independent of how much of this one was used. */
  fork(...labels: readonly (string | number)[]): Random {
    return new Random(this.#label, ...labels);
  }

  /** A number from 0 (inclusive) to 1 (exclusive): one step of the generator sfc32. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** An integer; both bounds are possible. */
  int(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.int(0, items.length - 1)];
    if (item === undefined) throw new RangeError('There is nothing to pick from.');
    return item;
  }

  /** One of the keys, each as likely as its weight says. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    return this.pickWeighted(
      Object.entries(weights).map(([key, weight]) => ({ key: key as K, weight: weight as number })),
    ).key;
  }

  /** One of the items, each as likely as its weight says. */
  pickWeighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let rest = this.next() * items.reduce((sum, { weight }) => sum + weight, 0);
    for (const item of items) {
      rest -= item.weight;
      if (rest < 0) return item;
    }
    throw new RangeError('The weights must be positive.');
  }

  /** At most `count` different items in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    const pool = [...items];
    for (let last = pool.length - 1; last > 0; last--) {
      const other = this.int(0, last);
      [pool[last], pool[other]] = [pool[other] as T, pool[last] as T];
    }
    return pool.slice(0, count);
  }

  /** A duration or size with a long tail: half of the values lie below the median. */
  skewed(median: number, spread = 0.35): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return median * Math.exp(spread * normal);
  }

  hex(byteCount: number): string {
    let text = '';
    while (text.length < byteCount * 2) {
      text += Math.floor(this.next() * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    }
    return text.slice(0, byteCount * 2);
  }

  /** Letters and digits as providers use them in the ids of calls and responses. */
  token(length: number): string {
    const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789';
    return Array.from({ length }, () => alphabet[this.int(0, alphabet.length - 1)]).join('');
  }

  digits(length: number): string {
    return Array.from({ length }, () => this.int(0, 9)).join('');
  }
}
