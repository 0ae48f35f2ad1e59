/**
 * What a data file answers, beside what its originals say: filters beside the plain evaluator, search beside reading
 * every text, and every row and original beside what they were.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { isFoundIn } from '#derive/search/match';
import { parseSearch } from '#derive/search/query';
import { evaluate } from '#filter/evaluate';
import { parseFilter } from '#filter/parse-filter';
import type { Condition } from '#filter/tree';
import { presentOtlpSpan, presentSpan } from '#resources/spans/present';
import { readKnownSpans } from '#store/aggregates/aggregates.fixture';
import { readEverything } from '#store/deletion/deletion.fixture';
import { sqliteDialect } from '#store/dialect/sqlite';
import { browseSpans } from '#store/spans/read/browse-spans';
import { subjectsOf } from '#store/query/queried-store.fixture';
import type { Tables } from '#store/schema/tables';
import { readTexts } from '#store/search/read-texts';
import { relationalTextSearch } from '#store/search/text-search';
import type { SearchPosition } from '#store/search/port';
import { NO_FRAMES } from '#store/spans/no-frames.fixture';
import { EnvelopeCache } from '#store/spans/rows/envelope-cache';
import type { ReadScope } from '#store/spans/rows/read-scope';
import { selectSpanRows, toSpanRow } from '#store/spans/rows/span-query';
import { relationalSpanStore } from '#store/spans/read/store';
import { TraceTrees } from '#store/spans/rows/trace-trees';
import { openSqliteReader } from '#store/sqlite/connection';
import { kyselyOnSqlite } from '#store/sqlite/kysely-on-sqlite';
import { PROJECTS, type ProjectName } from './fill.ts';

/** What filters are asked for; which spans cost how much is not known by their originals. */
export const FILTERS = [
  "status_code == 'ERROR'",
  "tier == 'gold' and latency_ms > 3",
  'tier == 1',
  "tier is None and span_kind == 'LLM'",
  "llm.model_name == 'house-large' and llm.token_count.prompt > 20",
  "session.id == 'kept 10' or session.id == 'gone 20'",
  'parent_span is None',
  "tags.1 == 'blue' and name != 'step 8'",
  "'basalt' in input.value and latency_ms == 12",
] as const;

/** What is searched for. */
export const SEARCHES = ['parcel', 'basalt', 'alpine -delta', 'cob* OR delta', '"some length"', 'number17'] as const;

/** Dearer than some calls. */
const COSTS_MORE = { filter: 'total_cost > 0.0003', nanoUsd: 300_000 };

/** Row ids ascend. */
export interface KnownProject {
  readonly rowId: number;
  readonly traceRowIds: readonly number[];
  readonly spanRowIds: readonly number[];
  /** Digests of its spans with their originals, its traces and its sessions, without what they cost. */
  readonly things: ReadonlyMap<string, string>;
  /** By filter. */
  readonly matches: ReadonlyMap<string, readonly number[]>;
  /** By search. */
  readonly hits: ReadonlyMap<string, readonly number[]>;
}

/** What is right. */
export type KnownAnswers = Readonly<Record<ProjectName, KnownProject>>;

/** A data file that nobody else has open, or only a server. */
export interface OpenFile extends Disposable {
  readonly db: Kysely<Tables>;
  readonly scope: ReadScope;
  rows(query: string): readonly Readonly<Record<string, unknown>>[];
  /** The only value of a query. */
  value(query: string): unknown;
}

/** Opens it to be read. */
export function openFile(path: string): OpenFile {
  const connection = openSqliteReader(path);
  const db = kyselyOnSqlite(connection);
  const rows = (query: string) => connection.prepare(query).all([]) as Readonly<Record<string, unknown>>[];
  return {
    db,
    scope: { db, dialect: sqliteDialect, envelopes: new EnvelopeCache(), trees: new TraceTrees() },
    rows,
    value: (query) => Object.values(rows(query)[0] ?? {})[0],
    [Symbol.dispose]: () => connection.close(),
  };
}

/** Reads what is right out of originals alone. */
export async function readKnownAnswers(path: string): Promise<KnownAnswers> {
  using file = openFile(path);
  const things = await readThings(file);
  const known: [ProjectName, KnownProject][] = [];
  for (const name of PROJECTS) {
    const rowId = Number(file.value(`SELECT id FROM projects WHERE name = '${name}'`));
    const spans = (await readKnownSpans(file.scope, rowId)).toSorted((a, b) => a.row.rowId - b.row.rowId);
    const subjects = await subjectsOf(file.scope, spans);
    const matching = (condition: Condition) =>
      spans.filter((span) => {
        const subject = subjects.get(span);
        return subject !== undefined && evaluate(condition, subject);
      });
    const hits = new Map<string, number[]>(SEARCHES.map((text) => [text, []]));
    const ofProject = selectSpanRows(file.db).where('spans.project_id', '=', rowId).orderBy('spans.id');
    const rows = (await ofProject.execute()).map(toSpanRow);
    for await (const { row, texts } of readTexts(file.scope, rows)) {
      for (const [text, found] of hits) if (isFoundIn(parseSearch(text), texts.keys())) found.push(row.rowId);
    }
    known.push([
      name,
      {
        rowId,
        traceRowIds: [...new Set(rows.map((row) => row.traceRowId))],
        spanRowIds: rows.map((row) => row.rowId),
        things: things.get(name) ?? new Map(),
        matches: new Map(FILTERS.map((text) => [text, matching(conditionOf(text)).map(({ row }) => row.rowId)])),
        hits,
      },
    ]);
  }
  return Object.fromEntries(known) as Readonly<Record<ProjectName, KnownProject>>;
}

/**
 * What is answered otherwise than it should be; spans that are not indexed yet are not searched for.
 * @param there projects that are not deleted
 * @param asked those of them that filters and searches are asked of
 */
export async function findWrongAnswers(
  file: OpenFile,
  known: KnownAnswers,
  there: readonly ProjectName[],
  asked: readonly ProjectName[] = there,
): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  const things = await readThings(file);
  for (const name of PROJECTS) {
    if (!there.includes(name)) wrong.push(...(await findReturned(file, known[name])));
    else wrong.push(...compareThings(name, things.get(name) ?? new Map(), known[name].things));
  }
  for (const name of asked) {
    const { rowId, matches } = known[name];
    for (const [filter, expected] of matches) {
      wrong.push(...compare(`${name}: ${filter}`, await filterSpans(file, rowId, filter), expected));
    }
    const dear = file.rows(
      `SELECT id FROM spans WHERE project_id = ${rowId} AND claimed_cost_nanousd > ${COSTS_MORE.nanoUsd} ORDER BY id`,
    );
    const expected = dear.map(({ id }) => Number(id));
    wrong.push(...compare(`${name}: dear`, await filterSpans(file, rowId, COSTS_MORE.filter), expected));
    wrong.push(...(await findWrongHits(file, name, known[name])));
  }
  return wrong;
}

async function findWrongHits(file: OpenFile, name: string, { rowId, hits }: KnownProject): Promise<readonly unknown[]> {
  const indexedUpTo = Number(file.value('SELECT next_span_row_id FROM search_progress'));
  const wrong: unknown[] = [];
  for (const [text, all] of hits) {
    const expected = all.filter((one) => one < indexedUpTo);
    wrong.push(...compare(`${name}: search ${text}`, await searchSpans(file, rowId, text), expected));
  }
  return wrong;
}

async function filterSpans({ scope }: OpenFile, projectRowId: number, filter: string): Promise<readonly number[]> {
  const spans = { projectRowId, rootsOnly: false, condition: conditionOf(filter) };
  const found: number[] = [];
  for (let after: Awaited<ReturnType<typeof browseSpans>>['next'] = null; ; ) {
    const page = await browseSpans(scope, spans, { sort: 'id', order: 'asc', limit: 1000, after });
    found.push(...page.rows.map((row) => row.rowId));
    if (page.next === null) return found;
    after = page.next;
  }
}

async function searchSpans({ scope }: OpenFile, projectRowId: number, text: string): Promise<readonly number[]> {
  const search = relationalTextSearch(scope);
  const found: number[] = [];
  for (let after: SearchPosition | null = null; ; ) {
    const request = { order: 'newest', limit: 1000, after } as const;
    const page = await search.searchTexts({ projectRowId }, { text, scope: 'everything' }, request);
    found.push(...page.hits.map((hit) => hit.spanRowId));
    if (page.next === null) return found.toReversed();
    after = page.next;
  }
}

/** What is there again of a project that was deleted, for whoever has kept its ids. */
async function findReturned({ db, value }: OpenFile, gone: KnownProject): Promise<readonly unknown[]> {
  const store = relationalSpanStore(db, sqliteDialect, { span: presentSpan, otlp: presentOtlpSpan }, NO_FRAMES);
  const [spanRowId = 0] = gone.spanRowIds;
  const returned = {
    projects: value(`SELECT count(*) FROM projects WHERE id = ${gone.rowId}`),
    spans: (await store.findSpans(gone.spanRowIds)).size,
    traces: (await store.findTraces(gone.traceRowIds)).size,
    session: (await store.findSession({ sessionId: 'gone 20' })) !== undefined,
    original: (await store.readSpanOriginal({ rowId: spanRowId }, 'protobuf')) !== undefined,
  };
  const isNothing = Object.values(returned).every((count) => count === 0 || count === false);
  return isNothing ? [] : [{ what: 'deleted and found', ...returned }];
}

/** Everything that belongs to each project, in digests. */
async function readThings(file: OpenFile): Promise<ReadonlyMap<string, Map<string, string>>> {
  const { spans, traces, sessions } = await readEverything({ ...file.scope, rows: file.rows });
  const things = new Map<string, Map<string, string>>();
  const note = (row: object & { readonly project?: unknown }, identity: string) => {
    const project = String(row.project);
    const known = things.get(project) ?? new Map<string, string>();
    known.set(identity, digestOf(row));
    things.set(project, known);
  };
  for (const span of spans as readonly Row[]) note(span, `span ${String(span['trace_id'])} ${String(span['span_id'])}`);
  for (const trace of traces as readonly Row[]) note(trace, `trace ${String(trace['trace_id'])}`);
  for (const session of sessions as readonly Row[]) note(session, `session ${String(session['session_id'])}`);
  return things;
}

type Row = Readonly<Record<string, unknown>>;

function digestOf(row: object): string {
  const json = JSON.stringify(row, (key, value: unknown) => (key.includes('cost') ? undefined : value));
  return createHash('sha1').update(json).digest('base64');
}

function compareThings(
  project: string,
  stored: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string>,
): readonly unknown[] {
  const other = [...known]
    .filter(([identity, digest]) => stored.get(identity) !== digest)
    .map(([identity]) => identity);
  const strange = [...stored.keys()].filter((identity) => !known.has(identity));
  if (other.length + strange.length === 0) return [];
  return [{ project, lostOrChanged: other.slice(0, SHOWN), strange: strange.slice(0, SHOWN) }];
}

function compare(what: string, found: readonly number[], expected: readonly number[]): readonly unknown[] {
  const [has, wants] = [new Set(found), new Set(expected)];
  const missing = expected.filter((rowId) => !has.has(rowId));
  const strange = found.filter((rowId) => !wants.has(rowId));
  if (missing.length + strange.length === 0 && found.length === expected.length) return [];
  return [{ what, count: found.length, missing: missing.slice(0, SHOWN), strange: strange.slice(0, SHOWN) }];
}

/** Enough to look into a fault. */
const SHOWN = 5;

function conditionOf(text: string): Condition {
  const { condition, diagnostics } = parseFilter('span', text);
  if (condition === null || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return condition;
}
