/** Reads stored telemetry back over REST, for tests that sent it. */
import { getAll, getJson } from './rest.ts';

/** A span of `/v1/projects/{project}/spans`. */
export interface RestSpan {
  readonly id: string;
  readonly name: string;
  readonly context: { readonly trace_id: string; readonly span_id: string };
  readonly span_kind: string;
  readonly parent_id: string | null;
  readonly start_time: string;
  readonly end_time: string;
  readonly status_code: string;
  readonly status_message: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly derived_attributes?: Readonly<Record<string, unknown>>;
  readonly events: readonly {
    readonly name: string;
    readonly timestamp: string;
    readonly attributes: Readonly<Record<string, unknown>>;
  }[];
}

/** A trace of `/v1/projects/{project}/traces?include_spans=true`. */
export interface RestTrace {
  readonly trace_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly token_count_prompt: number;
  readonly token_count_completion: number;
  readonly spans: readonly { readonly span_id: string; readonly parent_id: string | null }[];
}

/** A session of `/v1/sessions`. */
export interface RestSession {
  readonly id: string;
  readonly session_id: string;
  readonly project_id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly traces: readonly { readonly trace_id: string }[];
  readonly token_count_prompt: number;
}

/** A span of `/v1/projects/{project}/spans/otlpv1`. */
export interface RestOtlpSpan {
  readonly span_id: string;
  readonly start_time_unix_nano: number;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A span message of an original, in OTLP JSON. */
export interface OriginalSpan {
  readonly spanId: string;
  readonly startTimeUnixNano?: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly { readonly key: string; readonly value: unknown }[];
  readonly [field: string]: unknown;
}

/** All spans of a project, newest first. */
export function listSpans(url: string, project: string, query = ''): Promise<RestSpan[]> {
  return getAll(`${url}/v1/projects/${encodeURIComponent(project)}/spans?${query}`, 1000);
}

/** The only span of a trace. */
export async function getOnlySpan(url: string, traceId: string, project = 'default'): Promise<RestSpan> {
  const [span, ...others] = await listSpans(url, project, `trace_id=${traceId}`);
  if (span === undefined || others.length > 0) throw new Error(`not exactly one span of trace ${traceId}`);
  return span;
}

/** The same in OTLP's terms. */
export async function getOnlyOtlpSpan(url: string, traceId: string, project = 'default'): Promise<RestOtlpSpan> {
  const spans: RestOtlpSpan[] = await getAll(`${url}/v1/projects/${project}/spans/otlpv1?trace_id=${traceId}`, 1000);
  const [span] = spans;
  if (span === undefined || spans.length > 1) throw new Error(`not exactly one span of trace ${traceId}`);
  return span;
}

/** A trace with its spans, or `undefined`. */
export async function findTrace(url: string, traceId: string, project = 'default'): Promise<RestTrace | undefined> {
  const traces: RestTrace[] = await getAll(`${url}/v1/projects/${project}/traces?include_spans=true`, 1000);
  return traces.find((trace) => trace.trace_id === traceId);
}

/** Names of all projects, in alphabetical order. */
export async function listProjectNames(url: string): Promise<string[]> {
  const projects: { name: string }[] = await getAll(`${url}/v1/projects`, 1000);
  return projects.map((project) => project.name).sort();
}

/** Sessions of a project. */
export function listSessions(url: string, project: string): Promise<RestSession[]> {
  return getAll(`${url}/v1/projects/${project}/sessions`, 1000);
}

/** The original of a trace or span as protobuf. */
export async function getOriginal(url: string, of: 'traces' | 'spans', id: string): Promise<Uint8Array> {
  const response = await fetch(`${url}/v1/${of}/${id}/original`);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The original of the only span of a trace, in OTLP JSON. */
export async function getOriginalSpan(url: string, traceId: string): Promise<OriginalSpan> {
  const { resourceSpans } = await getJson<{
    resourceSpans: { scopeSpans: { spans: OriginalSpan[] }[] }[];
  }>(`${url}/v1/traces/${traceId}/original?format=json`);
  const [span, ...others] = resourceSpans.flatMap((of) => of.scopeSpans.flatMap((scope) => scope.spans));
  if (span === undefined || others.length > 0) throw new Error(`not exactly one original in trace ${traceId}`);
  return span;
}

/** Values of the metrics that count spans, or others, and refused requests, by their labels without quotes, as `outcome=stored`. */
export async function readIngestCounters(
  url: string,
  items: 'spans' | 'log_records' | 'data_points' = 'spans',
): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(new RegExp(`^cairn_ingest_(?:${items}|refused_requests)_total\\{(.*)\\} (\\d+)$`, 'gm'));
  return new Map(
    [...lines].map(([, labels = '', value]) => [labels.replace(',reason=""', '').replaceAll('"', ''), Number(value)]),
  );
}
