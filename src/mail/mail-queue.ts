/** Mails on their way, in memory: one after another, and again where one could not be sent. */
import { errorMessage } from '#base/errors';
import type { Logger } from '#base/log';
import type { Mail, Mailer } from './mailer.ts';

/** Hands one mail to the mail server. @throws MailRefusal where trying again cannot help, any other error where it may */
export type Deliver = (mail: Mail, signal: AbortSignal) => Promise<void>;

/** The mail server will not take this mail. */
export class MailRefusal extends Error {}

interface WaitingMail {
  readonly mail: Mail;
  /** When it is given up. */
  readonly lastMs: number;
  attemptCount: number;
  dueMs: number;
}

/** See above. What it logs names neither addresses nor contents, for a mail may hold a link that lets people in. */
export class MailQueue implements Mailer {
  readonly #deliver: Deliver;
  readonly #log: Logger;
  readonly #waiting = new Set<WaitingMail>();
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** The attempt that is under way. */
  #sending: Promise<void> | null = null;
  #isClosed = false;

  constructor(deliver: Deliver, log: Logger) {
    this.#deliver = deliver;
    this.#log = log;
  }

  send(mail: Mail): void {
    if (this.#isClosed || this.#waiting.size >= MAX_WAITING) {
      const reason = this.#isClosed ? 'the server stops' : `${MAX_WAITING} others wait for the mail server`;
      this.#log.error(`A mail was not sent: ${reason}.`);
      return;
    }
    const nowMs = performance.now();
    this.#waiting.add({ mail, lastMs: nowMs + MAX_AGE_MS, attemptCount: 0, dueMs: nowMs });
    this.#schedule();
  }

  /** Lets the mail go that is being sent, if that takes a moment only, and gives up the others. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const deadline = setTimeout(() => this.#stop.abort(), CLOSE_MS);
    await this.#sending;
    clearTimeout(deadline);
    if (this.#waiting.size > 0) this.#log.error(`The server stops; mails that were not sent: ${this.#waiting.size}.`);
    this.#waiting.clear();
  }

  #schedule(): void {
    if (this.#sending !== null || this.#isClosed) return;
    clearTimeout(this.#timer);
    let next: WaitingMail | undefined;
    for (const waiting of this.#waiting) if (next === undefined || waiting.dueMs < next.dueMs) next = waiting;
    if (next === undefined) return;
    const due = next;
    this.#timer = setTimeout(
      () => {
        this.#sending = this.#attempt(due).finally(() => {
          this.#sending = null;
          this.#schedule();
        });
      },
      Math.max(0, due.dueMs - performance.now()),
    );
  }

  async #attempt(waiting: WaitingMail): Promise<void> {
    waiting.attemptCount++;
    try {
      await this.#deliver(waiting.mail, AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ATTEMPT_MS)]));
      this.#waiting.delete(waiting);
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#postpone(waiting, error);
    }
  }

  #postpone(waiting: WaitingMail, error: unknown): void {
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (waiting.attemptCount - 1), MAX_WAIT_MS);
    waiting.dueMs = performance.now() + waitMs;
    const reason = errorMessage(error);
    if (error instanceof MailRefusal || waiting.dueMs > waiting.lastMs) {
      this.#waiting.delete(waiting);
      this.#log.error(`A mail was given up; attempts: ${waiting.attemptCount}.`, { reason });
    } else {
      this.#log.warn(`A mail could not be sent; the next attempt is in ${waitMs / 1000} s.`, { reason });
    }
  }
}

/** More than people ask for while a mail server is away; some megabytes. */
const MAX_WAITING = 1000;

/** Links are of no use long after they were asked for. */
const MAX_AGE_MS = 3_600_000;

const FIRST_WAIT_MS = 2000;
const MAX_WAIT_MS = 600_000;

/** Longer than a mail server takes that means to take it. */
const ATTEMPT_MS = 60_000;

const CLOSE_MS = 3000;
