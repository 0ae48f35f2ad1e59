/** Callers that were looked up a moment ago, so that a busy key costs one look a second. */
import type { Caller } from '#domain/caller';

/** What looking somebody up gave: the caller, or the refusal that a request gets. */
export type Verdict = { readonly caller: Caller; readonly expiresAtUs: number | null } | { readonly refusal: Error };

interface Entry {
  readonly verdict: Promise<Verdict>;
  readonly lookedUpAtMs: number;
}

/** Keeps verdicts for less than a second, and forgets all of them when it is told to. */
export class VerifiedCallers {
  readonly #entries = new Map<string, Entry>();
  readonly #nowMs: () => number;

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The verdict on a credential, looked up at most {@link KEPT_MS} ago; those who ask meanwhile share one look. */
  find(credential: string, lookUp: () => Promise<Verdict>): Promise<Verdict> {
    const nowMs = this.#nowMs();
    const known = this.#entries.get(credential);
    if (known !== undefined && nowMs - known.lookedUpAtMs < KEPT_MS) return known.verdict;
    const entry = { verdict: lookUp(), lookedUpAtMs: nowMs };
    this.#entries.delete(credential);
    this.#entries.set(credential, entry);
    if (this.#entries.size > MAX_ENTRIES) this.#dropOldest();
    const drop = () => {
      if (this.#entries.get(credential) === entry) this.#entries.delete(credential);
    };
    // Texts that somebody makes up must not drive out others, and a database that is away says nothing of the credential.
    entry.verdict.then((verdict) => 'refusal' in verdict && drop(), drop);
    return entry.verdict;
  }

  /** Has everybody looked up again; a look that has begun before is for those alone who asked before. */
  forget(): void {
    this.#entries.clear();
  }

  #dropOldest(): void {
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}

/** Other servers hear of a revocation by looking again: within one second, with room for the look itself. */
const KEPT_MS = 800;

/** Far more keys and browsers than one server serves in a second. */
const MAX_ENTRIES = 10_000;
