/** Every way in which attributes of stored spans leave the server, but for originals, which are compared as a whole. */
import { tableFromIPC } from '@uwdata/flechette';
import type { JsonObject, JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import { queryGraphql } from '../harness/graphql.ts';
import { getAll, getJson } from '../harness/rest.ts';
import { listSpans, type RestOtlpSpan } from '../harness/telemetry.ts';
import { canonical } from './reading.ts';
import type { Given } from './sent-attributes.ts';

/** What one way gives of the spans of a project, by their ids. */
export interface WayOut {
  readonly way: string;
  readonly spans: ReadonlyMap<
    string,
    Given & { readonly events?: readonly GivenEvent[]; readonly links?: readonly GivenLink[] }
  >;
}

/** An event of a span, as each interface has it. */
export interface GivenEvent {
  readonly name: string;
  readonly attributes: unknown;
}

/** A link of a span, as each interface has it. */
export interface GivenLink {
  readonly spanId: string;
  readonly attributes: unknown;
}

/** Reads a project in every way. */
export function readEveryWay(url: string, project: string): Promise<WayOut[]> {
  const ways: Readonly<Record<string, (url: string, project: string) => Promise<WayOut['spans']>>> = {
    'REST, a list': readList,
    'REST, OTLP': readOtlp,
    'REST, one span': readOne,
    'REST, a table': readTable,
    'REST, an Arrow table': readArrow,
    GraphQL: readGraphql,
    'GraphQL, attributeTexts': readTexts,
  };
  return Promise.all(Object.entries(ways).map(async ([way, read]) => ({ way, spans: await read(url, project) })));
}

async function readList(url: string, project: string, query = ''): Promise<WayOut['spans']> {
  const spans = await listSpans(url, project, query);
  return new Map(
    spans.map(({ context, attributes, derived_attributes: derived = {}, events }) => [
      context.span_id,
      { attributes, derived: Object.keys(derived), events },
    ]),
  );
}

/** The first span by its id, as a client asks that knows only that. */
async function readOne(url: string, project: string): Promise<WayOut['spans']> {
  const [first] = await listSpans(url, project);
  return readList(url, project, `span_id=${first?.context.span_id}`);
}

async function readOtlp(url: string, project: string): Promise<WayOut['spans']> {
  const path = `${url}/v1/projects/${encodeURIComponent(project)}/spans/otlpv1`;
  const spans = await getAll<OtlpSpan>(path, 1000);
  return new Map(
    spans.map(({ span_id: id, attributes, events, links }) => [
      id,
      {
        attributes: toAttributes(attributes),
        links: (links ?? []).map((link) => ({ spanId: link.span_id, attributes: toAttributes(link.attributes) })),
        events: (events ?? []).map((event) => ({ name: event.name, attributes: toAttributes(event.attributes) })),
      },
    ]),
  );
}

type OtlpAttributes = RestOtlpSpan['attributes'];

interface OtlpSpan extends RestOtlpSpan {
  readonly events: readonly { readonly name: string; readonly attributes: OtlpAttributes }[] | null;
  readonly links: readonly { readonly span_id: string; readonly attributes: OtlpAttributes }[] | null;
}

function toAttributes(entries: OtlpAttributes): Record<string, unknown> {
  return Object.fromEntries(entries.map(({ key, value }) => [key, toValue(value)]));
}

/** An object has no value there. */
function toValue(value: Readonly<Record<string, unknown>>): unknown {
  const list = value['array_value'] as { readonly values: readonly Readonly<Record<string, unknown>>[] } | null;
  if (list !== null && list !== undefined) return list.values.map(toValue);
  return Object.values(value).find((one) => one !== null) ?? null;
}

/** As pandas reads it: `attributes.llm` holds all that begins so. */
async function readTable(url: string, project: string): Promise<WayOut['spans']> {
  return toSpans(await readRows(url, project));
}

/** The same in the types of Arrow, which has JSON texts for the values of a column that has several types. */
async function readArrow(url: string, project: string): Promise<WayOut['spans']> {
  const response = await queryTable(url, project, '*/*');
  const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()), { useBigInt: true });
  const rows = table.toArray() as readonly Readonly<Record<string, unknown>>[];
  const like = await readRows(url, project);
  return toSpans(rows.map((row, place) => restore(row, like[place] ?? {}) as TableRow));
}

async function readRows(url: string, project: string): Promise<readonly TableRow[]> {
  const body = await (await queryTable(url, project, 'application/json')).text();
  const { data } = JSON.parse(body.slice(body.indexOf('\r\n\r\n'), body.lastIndexOf('\r\n--'))) as {
    readonly data: readonly TableRow[];
  };
  return data.map((row) =>
    Object.fromEntries(Object.entries(row).map(([label, value]) => [label.replace(/^\d+_/, ''), value])),
  );
}

type TableRow = Readonly<Record<string, JsonValue>>;

/** The value of Arrow in the types that it has in JSON; members of other rows are left out. */
function restore(value: unknown, like: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && value !== like) return restore(JSON.parse(value) as unknown, like);
  if (typeof value !== 'object' || value === null || typeof like !== 'object' || like === null) return value;
  if (Array.isArray(like)) {
    return [...(value as Iterable<unknown>)].map((item, place) => restore(item, like[place] as unknown));
  }
  const members = Object.entries(like).map(([name, of]) => [name, restore((value as JsonObject)[name], of)] as const);
  return Object.fromEntries(members);
}

function queryTable(url: string, project: string, accept: string): Promise<Response> {
  return fetch(`${url}/v1/spans?project_name=${encodeURIComponent(project)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ queries: [{}] }),
  });
}

function toSpans(rows: readonly TableRow[]): WayOut['spans'] {
  return new Map(
    rows.map((row) => {
      const nested = Object.entries(row).flatMap(([label, value]): [string, JsonValue][] =>
        label.startsWith('attributes.') && value !== null ? [[label.slice('attributes.'.length), value]] : [],
      );
      const id = row['context.span_id'] as string;
      return [id, { attributes: Object.fromEntries(nested.flatMap(([key, value]) => flattenAt(key, value))) }];
    }),
  );
}

function flattenAt(key: string, value: JsonValue): (readonly [string, JsonValue])[] {
  return flattenAttributes({ [key]: value });
}

async function readGraphql(url: string, project: string): Promise<WayOut['spans']> {
  const { data } = await getJson<{ readonly data: { readonly id: string } }>(`${url}/v1/projects/${project}`);
  const { node } = await queryGraphql<{ readonly node: ShownProject }>(url, SHOWN, { id: data.id });
  return new Map(
    node.spans.edges.map(({ node: { spanId, attributes, derivedAttributes, events, links } }) => [
      spanId,
      {
        attributes: Object.fromEntries(flattenAttributes(JSON.parse(attributes) as JsonObject)),
        derived: Object.keys(JSON.parse(derivedAttributes) as object),
        events,
        links,
      },
    ]),
  );
}

const SHOWN = `query ($id: ID!) {
  node(id: $id) { ... on Project { spans(first: 1000) { edges { node {
    spanId attributes derivedAttributes events { name attributes } links { spanId attributes }
  } } } } }
}`;

interface ShownProject {
  readonly spans: {
    readonly edges: readonly {
      readonly node: {
        readonly spanId: string;
        readonly attributes: string;
        readonly derivedAttributes: string;
        readonly events: readonly GivenEvent[];
        readonly links: readonly GivenLink[];
      };
    }[];
  };
}

/**
 * Every attribute by itself, as columns of tables and downloads ask for them, a few of all spans at a time. Where something
 * was derived in the place of an attribute, its text is that.
 */
async function readTexts(url: string, project: string): Promise<WayOut['spans']> {
  const { data } = await getJson<{ readonly data: { readonly id: string } }>(`${url}/v1/projects/${project}`);
  const listed = new Map((await listSpans(url, project)).map((span) => [span.context.span_id, span]));
  const all = [...new Set([...listed.values()].flatMap(({ attributes }) => Object.keys(attributes)))];
  const step = Math.ceil(all.length / MAX_KEYS);
  const keys = all.filter((_key, place) => place % step === 0);
  const given = new Map<string, { readonly attributes: Record<string, unknown> }>();
  // What is not asked for is compared where it is listed.
  for (const [id, { attributes }] of listed) given.set(id, { attributes: { ...attributes } });
  for (let from = 0; from < keys.length; from += MAX_PATHS) {
    const paths = keys.slice(from, from + MAX_PATHS);
    const { node } = await queryGraphql<{ readonly node: TextsOfProject }>(url, TEXTS, { id: data.id, paths });
    for (const { node: span } of node.spans.edges) {
      const { attributes: sent = {}, derived_attributes: derived = {} } = listed.get(span.spanId) ?? {};
      for (const [place, path] of paths.entries()) {
        const text = span.attributeTexts[place];
        const own = given.get(span.spanId)?.attributes;
        if (own === undefined || sent[path] === undefined) continue;
        const isDerived = path in derived && fromText(text, derived[path]) === canonical(derived[path]);
        own[path] = isDerived ? sent[path] : fromText(text, sent[path]);
      }
    }
  }
  return given;
}

/** A text is itself; anything else is JSON. */
function fromText(text: string | null | undefined, like: unknown): string {
  return typeof text === 'string' && typeof like !== 'string' ? canonical(JSON.parse(text)) : canonical(text ?? null);
}

/** As many as the server allows at once. */
const MAX_PATHS = 20;

/** Some of each recording, since a question takes long for spans of hundreds of messages. */
const MAX_KEYS = 40;

const TEXTS = `query ($id: ID!, $paths: [String!]!) {
  node(id: $id) { ... on Project { spans(first: 1000) { edges { node {
    spanId attributeTexts(paths: $paths, maxLength: 1000000)
  } } } } }
}`;

interface TextsOfProject {
  readonly spans: {
    readonly edges: readonly {
      readonly node: { readonly spanId: string; readonly attributeTexts: readonly (string | null)[] };
    }[];
  };
}
