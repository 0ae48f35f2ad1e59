/** The plain model of what is stored and pinned: what the hooks come to, said without rows. */

/** A span that is stored. */
export interface ModelSpan {
  readonly startUs: number;
  readonly session: string | null;
  /** Its place in the order of arrival. */
  readonly order: number;
  isPinned: boolean;
}

interface ModelTrace {
  project: string;
  readonly spans: Map<string, ModelSpan>;
  isPinned: boolean;
}

/** Traces by their ids, and what is pinned. */
export class PinnedWorld {
  readonly traces = new Map<string, ModelTrace>();
  readonly #pinnedSessions = new Set<string>();
  #arrived = 0;

  /** A span arrives; one that is stored under its id is replaced and stays pinned. */
  store(traceId: string, project: string, spanId: string, span: Pick<ModelSpan, 'startUs' | 'session'>): void {
    this.#change(() => {
      const trace: ModelTrace = this.traces.get(traceId) ?? { project, spans: new Map(), isPinned: false };
      this.traces.set(traceId, trace);
      const known = trace.spans.get(spanId) ?? { order: ++this.#arrived, isPinned: false };
      trace.spans.set(spanId, { ...span, order: known.order, isPinned: known.isPinned });
    });
  }

  deleteSpan(traceId: string, spanId: string): void {
    this.#change(() => {
      const spans = this.traces.get(traceId)?.spans;
      spans?.delete(spanId);
      if (spans?.size === 0) this.traces.delete(traceId);
    });
  }

  /** Deletes the traces that are chosen. */
  deleteTraces(isChosen: (trace: ModelTrace, traceId: string) => boolean): void {
    this.#change(() => {
      for (const [traceId, trace] of this.traces) if (isChosen(trace, traceId)) this.traces.delete(traceId);
    });
  }

  moveTrace(traceId: string, project: string): void {
    this.#change(() => {
      const trace = this.traces.get(traceId);
      if (trace !== undefined) trace.project = project;
    });
  }

  /** Pins what has that name: the trace id, with the span id, or the project with the session. `false` where it is not there. */
  pin(kind: 'trace' | 'span' | 'session', name: string): boolean {
    if (kind === 'session') {
      if (this.#hasSession(name)) this.#pinnedSessions.add(name);
      return this.#hasSession(name);
    }
    const [traceId = '', spanId = ''] = name.split(' ');
    const trace = this.traces.get(traceId);
    const target = kind === 'trace' ? trace : trace?.spans.get(spanId);
    if (target !== undefined) target.isPinned = true;
    return target !== undefined;
  }

  #hasSession(session: string): boolean {
    return [...this.traces.values()].some((trace) => sessionOf(trace) === session);
  }

  /** As `listPins` gives them. */
  listPins(): readonly string[] {
    const pins = [...this.#pinnedSessions].map((session) => `session ${session}`);
    for (const [traceId, { spans, isPinned }] of this.traces) {
      if (isPinned) pins.push(`trace ${traceId}`);
      for (const [spanId, span] of spans) if (span.isPinned) pins.push(`span ${traceId} ${spanId}`);
    }
    return pins.sort();
  }

  /** A session that has no trace any more is over: its pin goes where its last trace went, if that is in a session now. */
  #change(change: () => void): void {
    const before = [...this.traces.values()].map((trace) => ({ trace, session: sessionOf(trace) }));
    change();
    const stored = new Set(this.traces.values());
    for (const session of this.#pinnedSessions) {
      if (this.#hasSession(session)) continue;
      this.#pinnedSessions.delete(session);
      for (const { trace } of before.filter((one) => one.session === session)) {
        const joined = stored.has(trace) ? sessionOf(trace) : null;
        if (joined !== null) this.#pinnedSessions.add(joined);
      }
    }
  }
}

/** The project and the session that the earliest span names; null where none does. */
export function sessionOf({ project, spans }: ModelTrace): string | null {
  const [first] = [...spans.values()]
    .filter(({ session }) => session !== null)
    .toSorted((a, b) => a.startUs - b.startUs || a.order - b.order);
  return first === undefined ? null : `${project} ${first.session}`;
}

/** When a trace starts. */
export function startOf({ spans }: ModelTrace): number {
  return Math.min(...[...spans.values()].map(({ startUs }) => startUs));
}
