/** The users of a project, with figures of the traces in which any span names them. */
import { NumberSet } from '#base/number-set';
import { AppError } from '#base/errors';
import { Budget } from '../query/budget.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { type UserAnswer, type UserFigure, type UserQuestion, type UserRow, USER_FIGURES } from './port.ts';
import { assertForward, closeRange } from './range.ts';
import { rankGroups } from './rank-groups.ts';
import { Scan } from './scan.ts';
import { TraceFigures } from './trace-figures.ts';
import { countTraces, readTraceRows, type TraceRows } from './trace-rows.ts';

/** Reads the rows of traces, then who their spans name, out of two columns. */
export async function listUsers(scope: ReadScope, question: UserQuestion, budgetMs: number): Promise<UserAnswer> {
  assertForward(question);
  assertWindow(question);
  const { projectRowId, search, order, offset, limit } = question;
  const budget = new Budget(budgetMs);
  const range = await closeRange(scope, 'traces', question);
  const traces = new UsedTraces(search);
  for await (const part of readTraceRows(scope, projectRowId, range, budget)) traces.add(part);
  const total = budget.isExceeded ? await countTraces(scope, projectRowId, range) : traces.count;
  const spans = { projectRowId, startTimeUs: range.startUs, endTimeUs: traces.endUs + 1 };
  const scan = new Scan(scope, spans, budget);
  if (traces.count > 0) {
    for await (const batch of scan.batches({ columns: new Set(['trace_row_id', 'user_id']), attributes: new Set() })) {
      traces.findUsers(batch.numbers('trace_row_id'), batch.texts('user_id'));
      if (traces.isFull) budget.exceed();
    }
  }
  const figures = traces.figures();
  const ranked = rankGroups({ values: figures[order.by], counts: figures.count, direction: order.direction });
  return {
    users: ranked.slice(offset, offset + limit).map((user) => toRow(traces.userIds[user] ?? '', figures, user)),
    total: ranked.length,
    isPartial: budget.isExceeded,
    share: (total === 0 ? 1 : Math.min(traces.count / total, 1)) * scan.coverage.share,
  };
}

/** Users of one answer. */
const MAX_USERS = 1000;

function assertWindow({ offset, limit }: UserQuestion): void {
  if (offset >= 0 && limit >= 0 && limit <= MAX_USERS) return;
  throw new AppError('invalid_argument', `A response has ${MAX_USERS} users at most.`);
}

type Figures = Readonly<Record<UserFigure, Float64Array>>;

/** Traces, and the users of each. */
class UsedTraces {
  readonly #search: string;
  readonly #parts: TraceRows[] = [];
  /** The place of the first trace of each part. */
  readonly #starts: number[] = [];
  /** Places of traces in the order of all parts, by their row ids. */
  readonly #places = new Map<number, number>();
  readonly #numbers = new Map<string, number>();
  /** In the order in which they are found. */
  readonly userIds: string[] = [];
  /** User and trace in one number. */
  readonly #uses = new NumberSet();
  /** When the last of the traces ends. */
  endUs = 0;

  constructor(search: string) {
    this.#search = search.toLowerCase();
  }

  get count(): number {
    return this.#places.size;
  }

  /** Whether nothing more may be added. */
  get isFull(): boolean {
    return this.#uses.size > MAX_USES || this.userIds.length >= MAX_FOUND_USERS;
  }

  add(part: TraceRows): void {
    this.#parts.push(part);
    this.#starts.push(this.count);
    for (const rowId of part.id) this.#places.set(rowId, this.#places.size);
    for (const endUs of part.end_us) this.endUs = Math.max(this.endUs, endUs);
  }

  /** Notes who spans name. */
  findUsers(
    traceRowIds: Float64Array,
    { codes, values }: { readonly codes: Uint16Array; readonly values: readonly (string | undefined)[] },
  ): void {
    const areWanted = values.map((userId) => userId?.toLowerCase().includes(this.#search) === true);
    let lastRowId = Number.NaN;
    let lastCode = -1;
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] ?? 0;
      const rowId = traceRowIds[row] ?? 0;
      if (areWanted[code] !== true) continue;
      // Spans of one trace come together.
      if (rowId === lastRowId && code === lastCode) continue;
      [lastRowId, lastCode] = [rowId, code];
      const place = this.#places.get(rowId);
      if (place !== undefined) this.#uses.add(this.#numberOf(values[code] ?? '') * this.#places.size + place);
    }
  }

  figures(): Figures {
    const size = this.userIds.length;
    const figures = new TraceFigures(size);
    const sessions = new Float64Array(size);
    const seen = new NumberSet();
    const partOf = this.#partsByPlace();
    for (const use of this.#uses) {
      const user = Math.floor(use / this.count);
      const place = use % this.count;
      const number = partOf[place] ?? 0;
      const part = this.#parts[number];
      if (part === undefined) continue;
      const row = place - (this.#starts[number] ?? 0);
      figures.add(user, part, row);
      const session = part.session_row_id[row] ?? Number.NaN;
      if (!Number.isNaN(session) && seen.add(session * size + user)) sessions[user] = (sessions[user] ?? 0) + 1;
    }
    return { ...figures.read(), sessions };
  }

  /** The number of the part that a trace is in, by its place. */
  #partsByPlace(): Uint32Array {
    const partOf = new Uint32Array(this.count);
    for (const [number, start] of this.#starts.entries()) partOf.fill(number, start);
    return partOf;
  }

  #numberOf(userId: string): number {
    let number = this.#numbers.get(userId);
    if (number === undefined) {
      number = this.userIds.push(userId) - 1;
      this.#numbers.set(userId, number);
    }
    return number;
  }
}

/** Users that are told apart, and traces of users that are held: some 100 MB at most. */
const MAX_FOUND_USERS = 200_000;
const MAX_USES = 2_097_152;

function toRow(userId: string, figures: Figures, user: number): UserRow {
  const numbers = USER_FIGURES.map((figure) => [figure, figures[figure][user] ?? Number.NaN] as const);
  return { userId, ...(Object.fromEntries(numbers) as Record<UserFigure, number>) };
}
