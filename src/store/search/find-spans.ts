/**
 * Spans that hold what is looked for, the last that arrived first. Part by part of the row ids: the index says which texts
 * of the part hold each term, or may, and the rows of its spans which texts they hold. Where few texts can lead to a span, the
 * spans of their traces are looked at, else all of the project, a bounded number at a time. Phrases are decided on originals.
 */
import { sql } from 'kysely';
import { decide, type SearchNode, type SearchQuery } from '#derive/search/query';
import type { PlaceBits } from '#derive/search/scope';
import { prepareShapes, queryScopeOf } from '../queries/prepared-query.ts';
import { isListed, readListedOnly } from '../spans/rows/visible.ts';
import type { ReadScope } from '../spans/rows/read-scope.ts';
import { matchingRows } from '../query/matching-rows.ts';
import { type PreparedFilter, prepareFilter } from '../query/prepare-filter.ts';
import type { SearchedSpans } from './port.ts';
import { type HeldRow, readTraceRows, tracesOf } from '../texts/held-rows.ts';
import { visitHeld } from '../texts/span-texts.ts';
import { findTexts } from '../words/find-texts.ts';
import { OffsetSet } from '../words/offset-set.ts';
import { TermParts } from './term-parts.ts';
import { type Candidate, type CandidateText, type FoundSpan, PhraseVerifier } from './verify-phrases.ts';
import { type IdRange, partOfSpan, spanOfText, spansOfPart, textsOfPart } from '../words/text-ids.ts';

/** What one bounded piece of work found. */
export interface FoundSpans {
  /** The last that arrived first. */
  readonly spans: readonly FoundSpan[];
  /** No span from here on is still to be found. */
  readonly lookedDownTo: number;
}

/** The same before phrases are decided. */
interface CandidateSpans {
  readonly spans: readonly Candidate[];
  readonly lookedDownTo: number;
}

/** What is looked for, and where. */
export interface SpanSearch {
  readonly spans: SearchedSpans;
  readonly query: SearchQuery;
  readonly places: PlaceBits;
  /** Spans before this one. */
  readonly below: number;
}

/** Finds them as they are asked for; between two answers lie some milliseconds. */
export async function* findSpans(scope: ReadScope, search: SpanSearch): AsyncGenerator<FoundSpans> {
  const { spans, query, places } = search;
  const filter = spans.condition && (await prepareFilter(scope, spans.condition));
  const held =
    'traceRowId' in spans ? findInTrace(scope, search, spans.traceRowId) : findInProject(scope, search, spans);
  const verifier = new PhraseVerifier(scope, query, places);
  for await (const { spans: candidates, lookedDownTo } of held) {
    for await (const { found, decidedTo } of verifier.verify(candidates)) {
      const step = { spans: found, lookedDownTo: decidedTo };
      if (filter === undefined) yield step;
      else yield* filterStep(scope, filter, step);
    }
    yield { spans: [], lookedDownTo };
  }
}

/** Originals may have to be read for the filter, so fewer at a time. */
async function* filterStep(
  scope: ReadScope,
  filter: PreparedFilter,
  { spans, lookedDownTo }: FoundSpans,
): AsyncGenerator<FoundSpans> {
  for (let start = 0; start < spans.length; start += FILTERED_AT_ONCE) {
    const part = spans.slice(start, start + FILTERED_AT_ONCE);
    const matches = await matchingRows(
      scope,
      filter,
      part.map(({ rowId }) => rowId),
    );
    const last = part.at(-1)?.rowId ?? lookedDownTo;
    yield { spans: part.filter(({ rowId }) => matches.has(rowId)), lookedDownTo: last };
  }
  yield { spans: [], lookedDownTo };
}

const FILTERED_AT_ONCE = 128;

async function* findInTrace(scope: ReadScope, search: SpanSearch, traceRowId: number): AsyncGenerator<CandidateSpans> {
  for (let below = search.below; ; ) {
    const last = await scope.db
      .selectFrom('search_spans')
      .select('span_row_id')
      .where('trace_row_id', '=', traceRowId)
      .where('span_row_id', '<', below)
      .orderBy('span_row_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (last === undefined) return;
    const part = partOfSpan(last.span_row_id);
    const range = spansOfPart(part);
    const rows = await readTraceRows(scope, [traceRowId], range);
    const found = matchRows(search, rows, await readHits(scope, search, part));
    yield { spans: await keepThere(scope, search, found), lookedDownTo: range.first };
    below = range.first;
  }
}

async function* findInProject(
  scope: ReadScope,
  search: SpanSearch,
  { projectRowId, ...bounds }: Extract<SearchedSpans, { readonly projectRowId: number }>,
): AsyncGenerator<CandidateSpans> {
  const { query } = search;
  const terms = query.terms.map((term) => new TermParts(scope, term));
  const { startTimeUs, endTimeUs } = bounds;
  const parts = await selectParts(
    queryScopeOf(scope),
    { hasStart: startTimeUs !== undefined, hasEnd: endTimeUs !== undefined },
    { projectRowId, last: partOfSpan(search.below - 1), startTimeUs: startTimeUs ?? 0, endTimeUs: endTimeUs ?? 0 },
  );
  // Rows of a project are those of spans that are there.
  const isCertain = startTimeUs === undefined && endTimeUs === undefined && (await readListedOnly(scope)) === null;
  let atOnce = FIRST_SPANS_AT_ONCE;
  let possible: number | undefined;
  for (const { part } of parts) {
    if (possible !== undefined && part > possible) continue;
    const range = spansOfPart(part);
    // Most searches find something in the first part, and reading its texts tells whether the terms are in it.
    possible = possible === undefined ? part : await lastPossiblePart(query.root, terms, part);
    if (part > possible) continue;
    const texts = await readHits(scope, search, part);
    const leading = leadingTexts(query.root, texts.byTerm);
    if (leading?.length === 0) {
      yield { spans: [], lookedDownTo: range.first };
      continue;
    }
    if (leading !== null && leading.length <= MAX_LEADING) {
      const spans = new Set(Array.from(leading, (offset) => spanOfText(texts.first + offset)));
      const rows = await readTraceRows(scope, await tracesOf(scope, [...spans]), range);
      const found = matchRows(search, rows, texts);
      yield { spans: await keepThere(scope, search, found), lookedDownTo: range.first };
      continue;
    }
    for (let below = Math.min(search.below, range.last + 1); ; ) {
      const rows = await readProjectRows(scope, projectRowId, { first: range.first, last: below - 1 }, atOnce);
      const last = rows.at(-1);
      const isEnd = last === undefined || rows.length < atOnce;
      below = isEnd ? range.first : last.span_row_id;
      atOnce = Math.min(2 * atOnce, MAX_SPANS_AT_ONCE);
      const found = matchRows(search, rows, texts);
      yield { spans: isCertain ? found : await keepThere(scope, search, found), lookedDownTo: below };
      if (isEnd) break;
    }
  }
}

const selectParts = prepareShapes(
  (
    { db },
    { hasStart, hasEnd }: { readonly hasStart: boolean; readonly hasEnd: boolean },
    values: { readonly [Name in 'projectRowId' | 'last' | 'startTimeUs' | 'endTimeUs']: number },
  ) => {
    let query = db.selectFrom('search_parts').select('part').where('project_id', '=', values.projectRowId);
    query = query.where('part', '<=', values.last).orderBy('part', 'desc');
    if (hasStart) query = query.where('max_start_us', '>=', values.startTimeUs);
    return hasEnd ? query.where('min_start_us', '<', values.endTimeUs) : query;
  },
);

/** Where no more texts lead to spans, looking at the spans of their traces is quicker than at those of a whole part. */
const MAX_LEADING = 128;

/** Rows of a part that are looked at together: few at first, among which common words fill a page. */
const FIRST_SPANS_AT_ONCE = 128;
const MAX_SPANS_AT_ONCE = 1024;

/** The last part up to one in which the node can be true; -1 for none. */
async function lastPossiblePart(node: SearchNode, terms: readonly TermParts[], upTo: number): Promise<number> {
  switch (node.kind) {
    case 'term':
      return (await terms[node.term]?.last(upTo)) ?? -1;
    case 'not':
      return Number.MAX_SAFE_INTEGER;
    case 'and':
    case 'or': {
      let part = node.kind === 'and' ? Number.MAX_SAFE_INTEGER : -1;
      for (const operand of node.operands) {
        const ofOperand = await lastPossiblePart(operand, terms, upTo);
        part = node.kind === 'and' ? Math.min(part, ofOperand) : Math.max(part, ofOperand);
      }
      return part;
    }
  }
}

/** The texts of a part that hold terms, or may, by their places after the first id. */
interface Hits {
  readonly first: number;
  /** `null` for all texts. */
  readonly byTerm: readonly (ArrayLike<number> | null)[];
  /** Bits of terms that any text may hold, because the index is damaged. */
  readonly anywhere: number;
  readonly certain: readonly TermHits[];
  readonly possible: readonly TermHits[];
}

/** The bit of a term, and the texts that hold it, or may. */
interface TermHits {
  readonly bit: number;
  readonly texts: OffsetSet;
}

async function readHits(scope: ReadScope, { query }: SpanSearch, part: number): Promise<Hits> {
  const byTerm: (ArrayLike<number> | null)[] = [];
  let anywhere = 0;
  const certain: TermHits[] = [];
  const possible: TermHits[] = [];
  for (const [place, term] of query.terms.entries()) {
    const bit = 1 << place;
    const texts = await findTexts(scope, term, part);
    if (texts === null) {
      anywhere |= bit;
      byTerm.push(null);
      continue;
    }
    if (texts.certain.length > 0) certain.push({ bit, texts: new OffsetSet(texts.certain) });
    if (texts.possible.length > 0) possible.push({ bit, texts: new OffsetSet(texts.possible) });
    byTerm.push(texts.possible.length === 0 ? texts.certain : [...texts.certain, ...texts.possible]);
  }
  return { first: textsOfPart(part).first, byTerm, anywhere, certain, possible };
}

/** If the node is true for a span, the span holds at least one of these texts; `null` if it may hold any text. */
function leadingTexts(node: SearchNode, byTerm: Hits['byTerm']): ArrayLike<number> | null {
  switch (node.kind) {
    case 'term':
      return byTerm[node.term] ?? null;
    case 'not':
      return [];
    case 'or': {
      const texts: number[] = [];
      for (const operand of node.operands) {
        const ofOperand = leadingTexts(operand, byTerm);
        if (ofOperand === null) return null;
        for (let at = 0; at < ofOperand.length; at++) texts.push(ofOperand[at] as number);
      }
      return texts;
    }
    case 'and': {
      let fewest: ArrayLike<number> | null = null;
      for (const operand of node.operands) {
        const texts = operand.kind === 'not' ? null : leadingTexts(operand, byTerm);
        if (texts !== null && (fewest === null || texts.length < fewest.length)) fewest = texts;
      }
      return fewest;
    }
  }
}

/** Index: spans_by_arrival, then the primary key. */
async function readProjectRows(
  { db, dialect }: ReadScope,
  projectRowId: number,
  { first, last }: IdRange,
  limit: number,
): Promise<readonly HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    SELECT search_spans.span_row_id, search_spans.held FROM spans
    ${dialect.joinInOrder} search_spans ON search_spans.span_row_id = spans.id
    WHERE spans.project_id = ${projectRowId} AND spans.id BETWEEN ${first} AND ${last}
    ORDER BY spans.id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

function bitsAt(all: readonly TermHits[], offset: number): number {
  let bits = 0;
  for (const { bit, texts } of all) if (texts.has(offset)) bits |= bit;
  return bits;
}

function matchRows(search: SpanSearch, rows: readonly HeldRow[], hits: Hits): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const { span_row_id: rowId, held } of rows) {
    if (rowId >= search.below) continue;
    let [ofAll, possibleOfAll] = [0, 0];
    const texts: CandidateText[] = [];
    visitHeld(held, (offset, places) => {
      if ((places & search.places) === 0) return;
      const certain = bitsAt(hits.certain, offset);
      const possible = bitsAt(hits.possible, offset) | hits.anywhere;
      if ((certain | possible) === 0) return;
      ofAll |= certain;
      possibleOfAll |= possible;
      texts.push({ id: hits.first + offset, certain, possible });
    });
    if (texts.length > 0 && decide(search.query.root, ofAll, possibleOfAll) !== 'no') found.push({ rowId, texts });
  }
  return found;
}

/** Those that are there, and where they are looked for; indexes alone say that, so that damaged rows do not matter. Index: the primary key. */
async function keepThere(
  scope: ReadScope,
  { spans }: SpanSearch,
  found: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (found.length === 0) return found;
  const { db, dialect } = scope;
  let query = db
    .selectFrom('spans')
    .select('spans.id')
    .where('spans.id', 'in', dialect.numbersOf(found.map(({ rowId }) => rowId)));
  if ('traceRowId' in spans) query = query.where('spans.trace_row_id', '=', spans.traceRowId);
  else {
    query = query.where('spans.project_id', '=', spans.projectRowId);
    if (spans.startTimeUs !== undefined) query = query.where('spans.start_us', '>=', spans.startTimeUs);
    if (spans.endTimeUs !== undefined) query = query.where('spans.start_us', '<', spans.endTimeUs);
    const listedOnly = await readListedOnly(scope);
    if (listedOnly !== null) query = query.where(isListed(listedOnly));
  }
  const there = new Set((await query.execute()).map((row) => row.id));
  return found.filter(({ rowId }) => there.has(rowId));
}
