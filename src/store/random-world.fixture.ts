/** The naive model beside a store: what was told to it, step by step, and what must hold of that. */
import { spanId, TEST_START_US, type TestSpan, traceId } from '../../test/harness/otlp-json.ts';
import type { Planned, RandomStore } from './random-store.fixture.ts';

/** A span as the model knows it. */
export interface Told {
  readonly trace: number;
  readonly span: number;
  readonly parent: number | null;
  readonly startUs: number;
  readonly latencyUs: number;
  readonly status: 'UNSET' | 'OK' | 'ERROR';
  readonly kind: string;
  readonly tier: string | number | null;
  readonly words: readonly string[];
  readonly input: string;
  readonly prompt: number | null;
  readonly session: string | null;
  costNanoUsd: number | null;
}

export interface Trace {
  project: string;
  readonly spans: Map<number, Told>;
}

export const PROJECTS = ['first', 'second', 'third'] as const;
export const WORDS = ['alpine', 'basalt', 'cobalt', 'delta'];
const TIERS = [1, '1', 'gold', '', 'Gold', '😀', null, null];
const MODEL = 'house-model';
/** Between traces, which lie in several days, and between spans, which lie in several quarters of an hour. */
export const TRACE_STEP_US = 25_300_000_000;
const SPAN_STEP_US = 500_000_000;
export const HOSTILE = '__proto__';

export class World {
  readonly store: RandomStore;
  readonly traces = new Map<number, Trace>();
  readonly random: (below: number) => number;
  #rate: number | null = null;
  #planned: Planned[] = [];
  #newCount = 0;

  constructor(store: RandomStore, random: (below: number) => number) {
    this.store = store;
    this.random = random;
  }

  get spans(): readonly Told[] {
    return [...this.traces.values()].flatMap(({ spans }) => [...spans.values()]);
  }

  async step(): Promise<void> {
    const steps: readonly (readonly [weight: number, run: () => Promise<void>])[] = [
      [8, () => this.#send()],
      [3, () => this.#deleteSpan()],
      [1, () => this.#deleteTrace()],
      [1, () => this.#deleteStretch()],
      [1, () => this.#deleteSession()],
      [1, () => this.#deleteProject()],
      [2, () => this.#move()],
      [3, () => this.#planLater(() => this.store.planSegment())],
      [3, () => this.#planLater(() => this.store.planIndex(1 + this.random(6)))],
      [2, () => this.#compact()],
      [4, () => this.#carryOut()],
      [4, () => this.#removeAPart()],
      [1, () => this.#reprice()],
      [1, () => this.#setPrice()],
      [1, () => this.store.rebuildSearch()],
      [2, async () => this.store.skipRowIds(this.random(4))],
      [1, async () => this.store.restart()],
      [5, () => this.#pin()],
    ];
    let left = this.random(steps.reduce((sum, [weight]) => sum + weight, 0));
    const [, run] = steps.find(([weight]) => (left -= weight) < 0) ?? fail('no step');
    await run();
  }

  /** Traces whose spans are still on their way to another project, which lists leave out until they have come. */
  async tracesBeingMoved(): Promise<ReadonlySet<string>> {
    const rows = await this.store.rows(
      'SELECT trace_id FROM traces WHERE id IN (SELECT trace_row_id FROM unlisted_traces WHERE deletion_id IS NULL)',
    );
    return new Set(rows.map((row) => String(row['trace_id'])));
  }

  async #send(): Promise<void> {
    const sent = Array.from({ length: 1 + this.random(5) }, () => this.#tell());
    for (const [project, spans] of Map.groupBy(sent, ({ trace }) => this.traces.get(trace)?.project ?? PROJECTS[0])) {
      // Of one that is sent twice in a request the later counts, as between requests.
      await this.store.send(spans.map(toTestSpan), project);
      // What comes later for a trace is where the trace is, whatever it was sent to.
      const [again] = spans.toReversed();
      if (again !== undefined && this.random(4) === 0) {
        const changed = this.#tell(again);
        await this.store.send([toTestSpan(changed)], pick(PROJECTS, this.random));
      }
    }
  }

  /** Sends a span that was not there, of a trace of the project or of a new one. */
  async sendNew(project: string): Promise<void> {
    const number = 1 + this.random(9);
    const trace = this.traces.get(number);
    const span = 15 + (this.#newCount++ % 100_000);
    if (trace !== undefined && trace.project !== project) return;
    if (trace === undefined) this.traces.set(number, { project, spans: new Map() });
    await this.store.send([toTestSpan(this.#tell({ trace: number, span }))], project);
  }

  #tell(again?: Pick<Told, 'trace' | 'span'>): Told {
    const { random } = this;
    const number = again?.trace ?? 1 + random(9);
    let trace = this.traces.get(number);
    if (trace === undefined) {
      trace = { project: pick(PROJECTS, random), spans: new Map() };
      this.traces.set(number, trace);
    }
    const span = again?.span ?? 1 + random(14);
    const kind = span % 3 === 0 ? 'CHAIN' : span % 3 === 1 ? 'LLM' : 'TOOL';
    const words = WORDS.filter(() => random(3) === 0);
    const prompt = kind === 'LLM' ? 1 + random(50) : null;
    const told: Told = {
      trace: number,
      span,
      // Only chains have children, so that every call counts; some name one that never comes, some themselves.
      parent: random(4) === 0 ? null : random(9) === 0 ? span : 3 * (1 + random(6)),
      startUs: TEST_START_US + number * TRACE_STEP_US + random(4) * SPAN_STEP_US,
      latencyUs: random(5) * 1000,
      status: pick(['UNSET', 'OK', 'ERROR'], random),
      kind,
      tier: pick(TIERS, random),
      words,
      input: inputOf(words, random),
      prompt,
      session: number % 3 === 0 ? null : `session ${number % 4}`,
      costNanoUsd: this.#rate === null || prompt === null ? null : prompt * this.#rate * 1000,
    };
    trace.spans.set(span, told);
    return told;
  }

  async #deleteSpan(): Promise<void> {
    const told = pickOr(this.spans, this.random);
    if (told === undefined) return;
    await this.store.deleteSpan(await this.store.spanRowId(traceId(told.trace), spanId(told.span)));
    const trace = this.traces.get(told.trace);
    trace?.spans.delete(told.span);
    if (trace?.spans.size === 0) this.traces.delete(told.trace);
  }

  async #deleteTrace(): Promise<void> {
    const [number, trace] = pickOr([...this.traces], this.random) ?? [];
    if (number === undefined || trace === undefined) return;
    const selection = { traceRowIds: [await this.store.traceRowId(traceId(number))] };
    await this.store.deleteTraces(await this.#rowIdOf(trace.project), selection);
    this.traces.delete(number);
  }

  async #deleteStretch(): Promise<void> {
    const project = pick(PROJECTS, this.random);
    const projectRowId = await this.store.projectRowId(project);
    if (projectRowId === undefined) return;
    const from = TEST_START_US + this.random(9) * TRACE_STEP_US;
    const before = { startTimeUs: from + 1.5 * TRACE_STEP_US, rowId: 0 };
    await this.store.deleteTraces(projectRowId, { startTimeUs: from, before });
    for (const [number, trace] of this.traces) {
      const startUs = Math.min(...[...trace.spans.values()].map((told) => told.startUs));
      if (trace.project === project && startUs >= from && startUs < before.startTimeUs) this.traces.delete(number);
    }
  }

  async #deleteSession(): Promise<void> {
    const rows = await this.store.rows(
      'SELECT sessions.id, session_id, project_id, name FROM sessions JOIN projects ON projects.id = project_id ORDER BY sessions.id',
    );
    const row = pickOr(rows, this.random);
    const project = PROJECTS.find((name) => name === row?.['name']);
    if (row === undefined || project === undefined) return;
    await this.store.deleteTraces(Number(row['project_id']), { sessionRowIds: [Number(row['id'])] });
    for (const [number, trace] of this.traces) {
      const isOfSession = [...trace.spans.values()].some(({ session }) => session === row['session_id']);
      if (trace.project === project && isOfSession) this.traces.delete(number);
    }
  }

  async #deleteProject(): Promise<void> {
    const project = pick(PROJECTS, this.random);
    const projectRowId = await this.store.projectRowId(project);
    if (projectRowId === undefined) return;
    await this.store.deleteProject(projectRowId);
    for (const [number, trace] of this.traces) if (trace.project === project) this.traces.delete(number);
  }

  async #move(): Promise<void> {
    const [number, trace] = pickOr([...this.traces], this.random) ?? [];
    const to = pick(PROJECTS, this.random);
    const projectRowId = await this.store.projectRowId(to);
    if (number === undefined || trace === undefined || projectRowId === undefined) return;
    await this.store.moveTrace(await this.store.traceRowId(traceId(number)), projectRowId);
    trace.project = to;
  }

  async #compact(): Promise<void> {
    const [number] = pickOr([...this.traces], this.random) ?? [];
    if (number !== undefined)
      await this.#planLater(async () => this.store.planCompaction(await this.store.traceRowId(traceId(number))));
  }

  /** What is planned by a reader is carried out by the writer when other things have happened. */
  async #planLater(plan: () => Promise<Planned | undefined>): Promise<void> {
    const planned = await plan();
    if (planned !== undefined) this.#planned.push(planned);
    if (this.#planned.length > 3) await this.#carryOut();
  }

  async #carryOut(): Promise<void> {
    const planned = this.#planned;
    this.#planned = [];
    for (const carryOut of planned) await carryOut();
  }

  async #removeAPart(): Promise<void> {
    const planned = await this.store.planRemoval();
    if (this.random(2) === 0) await this.#send();
    await planned?.();
  }

  /** Pins a span, a trace or a session, or takes the pin of one away, whether that is still there or not. */
  async #pin(): Promise<void> {
    const { pins } = this.store;
    const pinned = pickOr(pins.all('any'), this.random);
    if (pinned !== undefined && this.random(3) === 0) {
      await pins.remove(pinned.subject, 'any', pinned.rowId);
      return;
    }
    const subject = pick(['span', 'trace', 'session'] as const, this.random);
    const row = pickOr(await this.store.rows(`SELECT id FROM ${subject}s ORDER BY id`), this.random);
    if (row !== undefined) await pins.add(subject, 'any', [Number(row['id'])]);
  }

  async #setPrice(): Promise<void> {
    this.#rate = 1 + this.random(5);
    await this.store.setPrice(MODEL, this.#rate);
  }

  async #reprice(): Promise<void> {
    await this.store.reprice();
    for (const told of this.spans)
      told.costNanoUsd = this.#rate === null || told.prompt === null ? null : told.prompt * this.#rate * 1000;
  }

  async #rowIdOf(project: string): Promise<number> {
    return (await this.store.projectRowId(project)) ?? fail(`project ${project} is not there`);
  }
}

function toTestSpan({ trace, span, parent, kind, prompt, session, tier, ...told }: Told): TestSpan {
  return {
    traceId: traceId(trace),
    spanId: spanId(span),
    ...(parent !== null && { parentSpanId: spanId(parent) }),
    name: `work ${span}`,
    startUs: told.startUs,
    endUs: told.startUs + told.latencyUs,
    status: told.status,
    attributes: {
      'openinference.span.kind': kind,
      ...(prompt !== null && {
        'llm.model_name': MODEL,
        'llm.token_count.prompt': prompt,
        'llm.token_count.completion': 1,
      }),
      ...(session !== null && { 'session.id': session }),
      ...(tier !== null && { tier }),
      ...(told.input !== '' && { 'input.value': told.input }),
      [HOSTILE]: `${kind} "it's" 100%`,
    },
  };
}

/** Short, longer than a row holds, or messages that spans of a trace repeat. */
function inputOf(words: readonly string[], random: (below: number) => number): string {
  if (words.length === 0) return '';
  if (random(3) === 0) return words.join(' ');
  if (random(2) === 0) return `${'lorem ipsum '.repeat(30)}${words.join(' ')}`;
  return JSON.stringify(words.map((content) => ({ content: `${content}, said at such a length that it is a text` })));
}

export function pick<Item>(items: readonly Item[], random: (below: number) => number): Item {
  return items[random(items.length)] as Item;
}

function pickOr<Item>(items: readonly Item[], random: (below: number) => number): Item | undefined {
  return items.length === 0 ? undefined : pick(items, random);
}

function fail(message: string): never {
  throw new Error(message);
}
