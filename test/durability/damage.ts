/** Damages a data file, and compares what a server answers with what it answered before. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { openSqlite } from '#store/sqlite/connection';
import { spanId, traceBody, traceId } from '../harness/otlp-json.ts';

/** Turns one bit in each of so many bytes of pages that hold anything of the tables; says how many pages they have, and which table or index each byte was of. */
export function flipBytes(
  path: string,
  count: number,
  isWanted: (table: string) => boolean,
  pick: (below: number) => number,
) {
  const connection = openSqlite(path, { readOnly: true });
  const [{ size } = { size: 0 }] = connection.prepare('SELECT page_size AS size FROM pragma_page_size()').all([]) as {
    size: number;
  }[];
  const pages = (
    connection
      .prepare(
        'SELECT dbstat.name, pageno FROM dbstat JOIN sqlite_schema ON sqlite_schema.name = dbstat.name WHERE ncell > 0',
      )
      .all([]) as { name: string; pageno: number }[]
  ).filter(({ name, pageno }) => pageno > 1 && isWanted(name));
  connection.close();
  const file = openSync(path, 'r+');
  const flipped: string[] = [];
  for (let flip = 0; flip < count; flip++) {
    const { name, pageno } = pages[pick(pages.length)] ?? { name: '', pageno: 2 };
    flipped.push(name);
    const at = (pageno - 1) * size + pick(size);
    const byte = Buffer.alloc(1);
    readSync(file, byte, 0, 1, at);
    byte.writeUInt8(byte.readUInt8(0) ^ (1 << pick(8)));
    writeSync(file, byte, 0, 1, at);
  }
  closeSync(file);
  return { pageCount: pages.length, flipped };
}

/** Stores traces of a few spans each, of texts that repeat each other as those of agents do. */
export async function storeTraces(url: string, traceCount: number, spansOfTrace: number): Promise<void> {
  for (let trace = 1; trace <= traceCount; trace++) {
    const spans = Array.from({ length: spansOfTrace }, (_, place) => ({
      traceId: traceId(trace),
      spanId: spanId(trace * 100 + place),
      ...(place > 0 && { parentSpanId: spanId(trace * 100) }),
      name: `step ${place}`,
      attributes: {
        'openinference.span.kind': 'LLM',
        'llm.model_name': `model ${trace % 4}`,
        'input.value': `Trace ${trace}: where is parcel ${trace * 7919}? ${'The customer asks again. '.repeat(20 * (place + 1))}`,
      },
    }));
    const body = traceBody(spans);
    const response = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    if (!response.ok) throw new Error(`a trace was refused: ${response.status}`);
  }
}

/** What a server answers: originals by trace, and whole spans by span id; or the error in place of an answer. */
export interface Answers {
  readonly originals: ReadonlyMap<string, Original>;
  readonly spans: ReadonlyMap<string, string>;
  /** Spans that lists name as damaged. */
  readonly named: ReadonlySet<string>;
  /** Errors in place of pages of lists. */
  readonly refusals: readonly string[];
  /** Pages of traces and figures of the project, by what was asked. */
  readonly others: ReadonlyMap<string, string>;
}

interface Original {
  readonly status: number;
  readonly text: string;
  readonly damaged: string;
}

/** Asks for everything: the original of each trace, all pages of the list of spans, traces, and figures of the project. */
export async function readAnswers(url: string, traceCount: number): Promise<Answers> {
  const originals = new Map<string, Original>();
  for (let trace = 1; trace <= traceCount; trace++) {
    const response = await fetch(`${url}/v1/traces/${traceId(trace)}/original?format=json`);
    const damaged = response.headers.get('x-cairn-damaged') ?? '';
    originals.set(traceId(trace), { status: response.status, text: await response.text(), damaged });
  }
  const spans = new Map<string, string>();
  const named = new Set<string>();
  const refusals: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response = await fetch(
      `${url}/v1/projects/default/spans?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    const text = await response.text();
    if (!response.ok) {
      refusals.push(`${response.status} ${text}`);
      break;
    }
    const page = JSON.parse(text) as Page;
    for (const span of page.data) spans.set(span.context.span_id, JSON.stringify(span));
    for (const { span_id: id } of page.damaged ?? []) named.add(id);
    cursor = page.next_cursor;
  }
  const others = new Map<string, string>();
  for (const [name, query] of Object.entries(OTHER_QUESTIONS)) {
    const body = JSON.stringify({ query: `{ projects { edges { node { ${query} } } } }` });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    others.set(name, await response.text());
  }
  return { originals, spans, named, refusals, others };
}

const OTHER_QUESTIONS = {
  figures: 'name traceCount recordCount tokenCountTotal latencyMsQuantile(probability: 0.5)',
  traces: 'traces(first: 1000) { edges { node { traceId startTime endTime numSpans } } }',
};

interface Page {
  readonly data: readonly { readonly context: { readonly span_id: string } }[];
  readonly next_cursor: string | null;
  readonly damaged?: readonly { readonly span_id: string }[];
}

/** How answers differ from those before. */
export interface Damaged {
  /** Originals of spans, spans of lists, pages of traces and figures that are not what they were. */
  readonly altered: number;
  /** Spans that are left out by name. */
  readonly named: number;
  /** Traces and pages that are refused, and say that it is because of damage. */
  readonly refused: number;
  /** What is neither the same nor said to be damaged. */
  readonly unsaid: readonly string[];
}

/** Compares. A trace that has lost spans must have the others as they were. */
export function compareAnswers(before: Answers, after: Answers): Damaged {
  let [altered, refused] = [0, after.refusals.length];
  const unsaid: string[] = [];
  const named = new Set(after.named);
  for (const refusal of after.refusals) if (!/damaged/.test(refusal)) unsaid.push(refusal);
  for (const [id, original] of before.originals) {
    const now = after.originals.get(id);
    if (now?.status === 200) {
      const [then, read] = [spansIn(original.text), spansIn(now.text)];
      for (const [span, text] of read) if (then.get(span) !== text) altered++;
      for (const span of then.keys()) {
        if (read.has(span)) continue;
        if (now.damaged.includes(span)) named.add(span);
        else unsaid.push(`span ${span} is not in the original of its trace`);
      }
    } else if (/damaged/.test(now?.text ?? '')) refused++;
    else unsaid.push(`trace ${id}: ${now?.status} ${now?.text}`);
  }
  for (const [name, text] of before.others) {
    const now = after.others.get(name) ?? '';
    if (now === text) continue;
    if (/damaged/.test(now)) refused++;
    else altered++;
  }
  for (const [id, span] of after.spans) if (before.spans.get(id) !== span) altered++;
  for (const id of before.spans.keys()) {
    if (after.refusals.length === 0 && !after.spans.has(id) && !after.named.has(id))
      unsaid.push(`span ${id} is in no list`);
  }
  return { altered, named: named.size, refused, unsaid };
}

function spansIn(text: string): ReadonlyMap<string, string> {
  const request = JSON.parse(text) as {
    readonly resourceSpans?: readonly {
      readonly scopeSpans: readonly { readonly spans?: readonly { readonly spanId: string }[] }[];
    }[];
  };
  const spans = (request.resourceSpans ?? []).flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans: some }) => some ?? []),
  );
  return new Map(spans.map((span) => [span.spanId, JSON.stringify(span)]));
}
