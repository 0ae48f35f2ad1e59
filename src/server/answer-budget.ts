/**
 * A bound on the bytes of all answers that are being made, or that the client has not taken yet, shared out by address.
 *
 * Nobody knows before how large an answer becomes, so it takes room as it grows, and is given up where there is none.
 * Small answers have room of their own: pages go on working while large answers are refused. An address may hold twice what is free,
 * so that there is some left for the next. Answers that are not taken give way to another address that has less, and after a while
 * to anybody who needs their room.
 */
import { unreadAnswers } from '#api/no-room';
import { Shares } from '#base/shares';
import { type AnswerPath, SentAnswers } from './sent-answers.ts';

/** The bounds of an {@link AnswerBudget}. */
export interface AnswerBudgetOptions {
  /** For all answers that are not small. One that is larger than its part is admitted when no other is there. */
  readonly maxBytes: number;
  /** For all small answers. */
  readonly maxSmallBytes: number;
  /** A connection of which nothing was taken for so long is cut off when an address that has less needs its room. */
  readonly stallMs: number;
  /** An answer that was sent so long ago is cut off when another needs its room, even if it is being taken. */
  readonly patienceMs: number;
  /** How long an answer that was not begun waits while its address holds more than is free. */
  readonly waitMs: number;
}

/** Where nothing is said of the memory; of a page of spans over REST the room holds sixteen, of the largest answers of GraphQL two. */
const OPTIONS: AnswerBudgetOptions = {
  maxBytes: 256 * 1024 * 1024,
  maxSmallBytes: 64 * 1024 * 1024,
  stallMs: 2000,
  patienceMs: 60_000,
  waitMs: 1000,
};

/** What a page of a table needs, and more. */
const SMALL_BYTES = 64 * 1024;

/** Answers that only say that something is not so need no room, least of all that there is none. */
const FREE_BYTES = 1024;

interface Waiter {
  readonly address: string;
  readonly resolve: () => void;
}

/** Shares out a fixed number of bytes. */
export class AnswerBudget {
  readonly #options: AnswerBudgetOptions;
  readonly #large: Shares;
  readonly #small: Shares;
  readonly #sent: SentAnswers<Share>;
  readonly #waiting = new Set<Waiter>();

  constructor(options: Partial<AnswerBudgetOptions> = {}) {
    this.#options = { ...OPTIONS, ...options };
    this.#large = new Shares(this.#options.maxBytes);
    this.#small = new Shares(this.#options.maxSmallBytes);
    this.#sent = new SentAnswers(this.#options.stallMs / LOOKS_A_STALL);
  }

  get maxBytes(): number {
    return this.#options.maxBytes + this.#options.maxSmallBytes;
  }

  /** The bytes that are taken now. */
  get takenBytes(): number {
    return this.#large.total + this.#small.total;
  }

  /** How many wait before they are made. */
  get waitingCount(): number {
    return this.#waiting.size;
  }

  /**
   * Room for an answer to an address, nothing of it yet.
   * @param kind what is asked for: answers of a kind are thought to be about as large
   */
  open(address: string, path: AnswerPath, kind: string): AnswerShare {
    return new Share(this, address, path, kind);
  }

  /**
   * Waits while the address holds more of the room for large answers than is free, a moment at most.
   * @throws AppError `unavailable` where these are answers that it does not take, and one of them is of the same kind: what is made for it
   * would only be thrown away
   */
  async settle(address: string, kind: string): Promise<void> {
    this.#refuseUnread(address, kind);
    if (this.#isCalm(address)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.#options.waitMs);
    const waiter = { address, resolve };
    this.#waiting.add(waiter);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(waiter);
    this.#refuseUnread(address, kind);
  }

  /** @internal for {@link Share} */
  move(share: Share, bytes: number): boolean {
    const [large, small] = this.#charge(bytes);
    const [largeBefore, smallBefore] = this.#charge(share.bytes);
    if (!this.#findRoom(this.#small, share, smallBefore, small)) return false;
    if (!this.#findRoom(this.#large, share, largeBefore, large)) return false;
    this.#large.change(share.address, large - largeBefore);
    this.#small.change(share.address, small - smallBefore);
    if (large < largeBefore) this.#callIn();
    return true;
  }

  /** @internal for {@link Share} */
  note(share: Share, isSent: boolean): void {
    if (isSent) this.#sent.add(share);
    else this.#sent.delete(share);
  }

  /** What an answer of that many bytes takes of the room for large ones, and of that for small ones. */
  #charge(bytes: number): readonly [large: number, small: number] {
    if (bytes > SMALL_BYTES) return [Math.min(bytes, this.#options.maxBytes), 0];
    return [0, bytes > FREE_BYTES ? bytes : 0];
  }

  /** Whether an answer may grow so far, after cutting off what must give way to it. */
  #findRoom(room: Shares, share: Share, before: number, after: number): boolean {
    if (after <= before) return true;
    for (;;) {
      if (room.total === before || room.leavesRoom(share.address, after - before)) return true;
      const victim = this.#findVictim(room, share, room.heldBy(share.address) + after - before);
      if (victim === undefined) return false;
      for (const { path } of victim.slice(0, 1)) path.cut();
      for (const each of victim) each.release();
    }
  }

  /** The answers of the connection that holds most, of the address that holds most, among those that give way. */
  #findVictim(room: Shares, wanting: Share, wantedBytes: number): readonly Share[] | undefined {
    const longAgo = performance.now() - this.#options.patienceMs;
    let [victim, most, mostOfAddress] = [undefined as readonly Share[] | undefined, 0, 0];
    for (const { path, answers, stalledMs } of this.#sent.byPath()) {
      const [oldest] = answers;
      if (oldest === undefined || path === wanting.path) continue;
      const [ofAddress, bytes] = [room.heldBy(oldest.address), this.#bytesIn(room, answers)];
      const isOwn = oldest.address === wanting.address;
      const isStalled = !isOwn && stalledMs >= this.#options.stallMs;
      if (bytes === 0 || !(isStalled || oldest.sentAtMs <= longAgo)) continue;
      if (!isOwn && ofAddress < wantedBytes) continue;
      if (ofAddress < mostOfAddress || (ofAddress === mostOfAddress && bytes <= most)) continue;
      [victim, most, mostOfAddress] = [answers, bytes, ofAddress];
    }
    return victim;
  }

  #bytesIn(room: Shares, answers: readonly Share[]): number {
    return answers.reduce((sum, { bytes }) => sum + this.#charge(bytes)[room === this.#large ? 0 : 1], 0);
  }

  #isCalm(address: string): boolean {
    return this.#large.free > 0 && this.#large.heldBy(address) <= this.#large.free;
  }

  /** @throws AppError `unavailable` where the address holds more than its share of large answers that it does not take, of this kind among them */
  #refuseUnread(address: string, kind: string): void {
    const share = Math.max(this.#large.free, this.#options.maxBytes / (this.#large.holderCount + 1));
    if (this.#large.heldBy(address) <= share) return;
    const unread = [...this.#sent.byPath()].flatMap(({ answers, stalledMs }) =>
      answers[0]?.address === address && stalledMs >= this.#options.waitMs ? answers : [],
    );
    const isOfKind = unread.some((answer) => answer.kind === kind && this.#bytesIn(this.#large, [answer]) > 0);
    if (isOfKind && this.#bytesIn(this.#large, unread) > share) throw unreadAnswers();
  }

  /** One that comes in may take what was given back, so that the others had better wait on. */
  #callIn(): void {
    const heldBy = ({ address }: Waiter) => this.#large.heldBy(address);
    const calm = [...this.#waiting]
      .filter(({ address }) => this.#isCalm(address))
      .sort((one, other) => heldBy(one) - heldBy(other));
    for (const waiter of this.#large.total === 0 ? calm : calm.slice(0, 1)) {
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}

const LOOKS_A_STALL = 8;

/** The room of one answer. */
export interface AnswerShare {
  /** What it takes now. */
  readonly bytes: number;
  /** Takes room for so many more bytes. `false` where there is none; what was taken before stays. */
  grow(bytes: number): boolean;
  /** Makes it so many bytes in all. `false` where there is no room for them. */
  resize(bytes: number): boolean;
  /** Says that the answer is complete and on its way. */
  sent(): void;
  /** Gives everything back, for good. */
  release(): void;
}

class Share implements AnswerShare {
  readonly #budget: AnswerBudget;
  readonly address: string;
  readonly path: AnswerPath;
  readonly kind: string;
  #isReleased = false;
  bytes = 0;
  sentAtMs = 0;

  constructor(budget: AnswerBudget, address: string, path: AnswerPath, kind: string) {
    this.#budget = budget;
    this.address = address;
    this.path = path;
    this.kind = kind;
  }

  grow(bytes: number): boolean {
    return this.resize(this.bytes + bytes);
  }

  resize(bytes: number): boolean {
    // Nobody waits for it any more: it goes as soon as it is made.
    if (this.#isReleased) return true;
    if (!this.#budget.move(this, bytes)) return false;
    this.bytes = bytes;
    return true;
  }

  sent(): void {
    if (this.#isReleased) return;
    this.sentAtMs = performance.now();
    this.#budget.note(this, true);
  }

  release(): void {
    if (this.#isReleased) return;
    this.resize(0);
    this.#isReleased = true;
    this.#budget.note(this, false);
  }
}
