/** Every way in which attributes of stored spans leave the server, but for originals, which are compared as a whole. */
import type { JsonObject, JsonValue } from '#base/json';
import { flattenAttributes } from '#domain/attributes';
import { queryGraphql } from '../harness/graphql.ts';
import { getAll, getJson } from '../harness/rest.ts';
import { listSpans, type RestOtlpSpan } from '../harness/telemetry.ts';
import type { Given } from './sent-attributes.ts';

/** What one way gives of the spans of a project, by their ids. */
export interface WayOut {
  readonly way: string;
  readonly spans: ReadonlyMap<string, Given & { readonly events?: readonly GivenEvent[] }>;
}

/** An event of a span, as each interface has it. */
export interface GivenEvent {
  readonly name: string;
  readonly attributes: unknown;
}

/** Reads a project in every way. */
export function readEveryWay(url: string, project: string): Promise<WayOut[]> {
  const ways: Readonly<Record<string, (url: string, project: string) => Promise<WayOut['spans']>>> = {
    'REST, a list': readList,
    'REST, OTLP': readOtlp,
    'REST, one span': readOne,
    'REST, a table': readTable,
    GraphQL: readGraphql,
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
    spans.map(({ span_id: id, attributes, events }) => [
      id,
      {
        attributes: toAttributes(attributes),
        events: (events ?? []).map((event) => ({ name: event.name, attributes: toAttributes(event.attributes) })),
      },
    ]),
  );
}

type OtlpAttributes = RestOtlpSpan['attributes'];

interface OtlpSpan extends RestOtlpSpan {
  readonly events: readonly { readonly name: string; readonly attributes: OtlpAttributes }[] | null;
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
  const response = await fetch(`${url}/v1/spans?project_name=${encodeURIComponent(project)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ queries: [{}] }),
  });
  const body = await response.text();
  const table = JSON.parse(body.slice(body.indexOf('\r\n\r\n'), body.lastIndexOf('\r\n--'))) as {
    readonly data: readonly Readonly<Record<string, JsonValue>>[];
  };
  return new Map(
    table.data.map((row) => {
      const cells = Object.entries(row).map(([label, value]) => [label.replace(/^\d+_/, ''), value] as const);
      const nested = cells.flatMap(([label, value]) =>
        label.startsWith('attributes.') && value !== null ? [[label.slice('attributes.'.length), value]] : [],
      ) as [string, JsonValue][];
      const id = cells.find(([label]) => label === 'context.span_id')?.[1] as string;
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
    node.spans.edges.map(({ node: { spanId, attributes, derivedAttributes, events } }) => [
      spanId,
      {
        attributes: Object.fromEntries(flattenAttributes(JSON.parse(attributes) as JsonObject)),
        derived: Object.keys(JSON.parse(derivedAttributes) as object),
        events,
      },
    ]),
  );
}

const SHOWN = `query ($id: ID!) {
  node(id: $id) { ... on Project { spans(first: 1000) { edges { node {
    spanId attributes derivedAttributes events { name attributes }
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
      };
    }[];
  };
}
