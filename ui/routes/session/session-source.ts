/** A session as far as it is read: its turns page by page, kept up to date. */
import type { Costs } from '#ui/lib/costs.ts';

/** A text of a turn. */
export interface TurnValue {
  readonly value: string;
  readonly mimeType: string;
}

/** One trace of the session. */
export interface Turn {
  /** Global node id of the trace. */
  readonly id: string;
  /** Hexadecimal. */
  readonly traceId: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly latencyMs: number | null;
  readonly errorCount: number;
  readonly tokens: number;
  /** US dollars; null where it is not known. */
  readonly cost: number | null;
  readonly rootName: string | null;
  readonly input: TurnValue | null;
  readonly output: TurnValue | null;
}

/** What is said of the session as a whole. */
export interface SessionSummary {
  readonly sessionId: string;
  readonly userId: string | null;
  readonly startTime: string;
  readonly endTime: string;
  readonly turnCount: number;
  readonly errorCount: number;
  readonly tokens: { readonly prompt: number; readonly completion: number; readonly total: number };
  readonly cost: Costs;
  readonly latencyMsP50: number | null;
}

/** Some turns, the earliest first. */
export interface TurnPage {
  readonly turns: readonly Turn[];
  readonly endCursor: string | null;
  readonly hasMore: boolean;
}

/** Asks for a session. */
export interface SessionReader {
  /** Null where there is no such session. */
  readSummary(): Promise<SessionSummary | null>;
  readPage(after: string | null): Promise<TurnPage>;
  /** The turns again that have these node ids; those that are gone are left out. */
  readTurns(ids: readonly string[]): Promise<readonly Turn[]>;
}

/** What is known. */
export interface SessionState {
  readonly phase: 'opening' | 'ready' | 'loading' | 'missing' | 'failed';
  readonly summary: SessionSummary | null;
  readonly turns: readonly Turn[];
  /** Whether there are no more turns to read. */
  readonly isComplete: boolean;
  /** Of phase `failed`. */
  readonly error: unknown;
}

/** As many ids as one request may name. */
const MAX_IDS = 50;

const NOTHING: SessionState = { phase: 'opening', summary: null, turns: [], isComplete: false, error: undefined };

/** See the top of this file. Reads happen one after the other, so that none undoes a later one. */
export class SessionSource {
  private readonly reader: SessionReader;
  private readonly listeners = new Set<() => void>();
  private state = NOTHING;
  private cursor: string | null = null;
  private last: Promise<void> = Promise.resolve();
  private waiting = 0;
  private isPageWanted = false;
  private isClosed = true;

  constructor(reader: SessionReader) {
    this.reader = reader;
  }

  readonly getState = (): SessionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Begins to read; what it returns ends it. */
  open(): () => void {
    this.isClosed = false;
    if (this.state.phase === 'opening' && this.waiting === 0) this.enqueue(() => this.readFromStart());
    return () => {
      this.isClosed = true;
    };
  }

  /** Reads once more after a failure. */
  readonly retry = (): void => {
    this.isPageWanted = false;
    this.publish({ phase: this.state.summary === null ? 'opening' : 'ready', error: undefined });
    this.enqueue(() => (this.state.summary === null ? this.readFromStart() : this.readNextPage()));
  };

  /** Reads the next page, unless that is under way. */
  readonly loadMore = (): void => {
    if (this.state.phase !== 'ready' || this.isPageWanted) return;
    this.isPageWanted = true;
    this.enqueue(() => this.readNextPage());
  };

  /**
   * Reads again what may have changed: the traces with these hexadecimal ids, or any where they are not named. A server
   * that tells of changes answers again, so what failed is tried once more.
   */
  refresh(traceIds: readonly string[] | null): void {
    if (this.state.phase === 'failed') this.retry();
    if (this.state.phase === 'ready' || this.state.phase === 'loading') this.enqueue(() => this.catchUp(traceIds));
  }

  private enqueue(job: () => Promise<void>): void {
    this.waiting += 1;
    this.last = this.last.then(async () => {
      try {
        if (!this.isClosed && this.state.phase !== 'failed') await job();
      } catch (error) {
        this.publish({ phase: 'failed', error });
      } finally {
        this.waiting -= 1;
      }
    });
  }

  private async readFromStart(): Promise<void> {
    const [summary, page] = await Promise.all([this.reader.readSummary(), this.reader.readPage(null)]);
    if (summary === null) {
      this.publish({ phase: 'missing' });
      return;
    }
    this.cursor = page.endCursor;
    this.publish({ phase: 'ready', summary, turns: page.turns, isComplete: !page.hasMore });
  }

  private async readNextPage(): Promise<void> {
    this.isPageWanted = false;
    if (this.state.isComplete) return;
    this.publish({ phase: 'loading' });
    await this.readBehindCursor();
  }

  private async readBehindCursor(): Promise<void> {
    const page = await this.reader.readPage(this.cursor);
    this.cursor = page.endCursor ?? this.cursor;
    this.publish({ phase: 'ready', turns: mergeTurns(this.state.turns, page.turns), isComplete: !page.hasMore });
  }

  private async catchUp(traceIds: readonly string[] | null): Promise<void> {
    const summary = await this.reader.readSummary();
    if (summary === null) return;
    const before = this.state.summary;
    const isSame = JSON.stringify(summary) === JSON.stringify(before);
    this.publish({ summary });
    const named = traceIds === null ? null : new Set(traceIds);
    // Nothing that is told of the whole has changed and no trace is named: neither has any part.
    if (named === null && isSame) return;
    const stale = this.state.turns.filter(({ traceId }) => named === null || named.has(traceId)).map(({ id }) => id);
    for (let at = 0; at < stale.length; at += MAX_IDS) {
      const read = await this.reader.readTurns(stale.slice(at, at + MAX_IDS));
      this.publish({ turns: mergeTurns(this.state.turns, read) });
    }
    if (!this.state.isComplete) return;
    while (this.state.turns.length < summary.turnCount) {
      const known = this.state.turns.length;
      await this.readBehindCursor();
      if (this.state.turns.length === known) break;
    }
    // A trace that began earlier than others and arrived later is behind no cursor.
    if (this.state.turns.length !== summary.turnCount) await this.readAllAgain(this.state.turns.length);
  }

  private async readAllAgain(atLeast: number): Promise<void> {
    let page = await this.reader.readPage(null);
    let turns = page.turns;
    while (page.hasMore && turns.length <= atLeast) {
      page = await this.reader.readPage(page.endCursor);
      turns = mergeTurns(turns, page.turns);
    }
    this.cursor = page.endCursor ?? this.cursor;
    this.publish({ turns, isComplete: !page.hasMore });
  }

  private publish(change: Partial<SessionState>): void {
    if (this.isClosed) return;
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

/** All turns in the order of their start, those that arrived in place of older readings of them. */
function mergeTurns(turns: readonly Turn[], arrived: readonly Turn[]): readonly Turn[] {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  for (const turn of arrived) byId.set(turn.id, turn);
  return [...byId.values()].sort((one, other) => Date.parse(one.startTime) - Date.parse(other.startTime));
}
