/** Recorded requests over GraphQL: the same spans, to the attribute, as over REST. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readScenarios, listFolders } from '../dialects/recording.ts';
import { sendRequests } from '../dialects/read-over-rest.ts';
import { queryGraphql } from '../harness/graphql.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { listSpans, type RestSpan } from '../harness/telemetry.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

const SPANS = `query($name: String!) { project: getProjectByName(name: $name) { spans(first: 1000) { edges { node {
  name spanKind statusCode statusMessage parentId startTime endTime attributes derivedAttributes context { traceId spanId }
  events { name timestamp attributes } input { value } output { value } tokenCountPrompt tokenCountCompletion tokenRemarks { kind message }
} } } } }`;

interface GraphqlSpan {
  readonly name: string;
  readonly spanKind: string;
  readonly statusCode: string;
  readonly statusMessage: string;
  readonly parentId: string | null;
  readonly startTime: string;
  readonly endTime: string;
  readonly attributes: string;
  readonly derivedAttributes: string;
  readonly context: { readonly traceId: string; readonly spanId: string };
  readonly events: RestSpan['events'];
  readonly input: { readonly value: string } | null;
  readonly output: { readonly value: string } | null;
  readonly tokenCountPrompt: number | null;
  readonly tokenCountCompletion: number | null;
  readonly tokenRemarks: readonly { readonly kind: string; readonly message: string }[];
}

// At once, as services send: each in a project of its own.
it.concurrent.each(listFolders())('%s reads as over REST', async (recording) => {
  const { url, grpcAddress } = server;
  const requests = readScenarios(recording).flatMap((scenario) => scenario.requests);
  await sendRequests({ url, grpcAddress, project: recording }, requests);
  const { project } = await queryGraphql<{ project: { spans: { edges: { node: GraphqlSpan }[] } } }>(url, SPANS, {
    name: recording,
  });
  const spans = project.spans.edges.map(({ node }) => node);
  const rest = (await listSpans(url, recording)).toReversed();
  expect(spans.length).toBeGreaterThan(0);
  expect(spans.map(toRest)).toEqual(rest.map(withoutVectors));
  for (const [index, span] of spans.entries()) {
    const { attributes: given, derived_attributes: derived } = rest[index] as RestSpan;
    const attributes = { ...given, ...derived };
    expect(span.input?.value).toEqual(attributes['input.value']);
    expect(span.output?.value).toEqual(attributes['output.value']);
    if (span.tokenCountCompletion !== null) {
      expect(span.tokenCountCompletion).toBe(attributes['llm.token_count.completion']);
    }
  }
});

function toRest(span: GraphqlSpan) {
  const attributes = Object.fromEntries(flatten('', JSON.parse(span.attributes)));
  const { 'openinference.span.kind': _kind, ...rest } = attributes;
  return {
    name: span.name,
    context: { trace_id: span.context.traceId, span_id: span.context.spanId },
    span_kind: span.spanKind.toUpperCase(),
    parent_id: span.parentId,
    start_time: span.startTime,
    end_time: span.endTime,
    status_code: span.statusCode,
    status_message: span.statusMessage,
    ...(span.tokenRemarks.length > 0 && { token_count_remarks: span.tokenRemarks }),
    attributes: rest,
    ...(span.derivedAttributes !== '{}' && { derived_attributes: JSON.parse(span.derivedAttributes) as unknown }),
    events: span.events.map(({ name, timestamp, attributes: given }) => ({ name, timestamp, attributes: given })),
  };
}

/** The dotted keys of a tree, as REST has them. */
function flatten(prefix: string, value: unknown): [string, unknown][] {
  const isWalked = Array.isArray(value)
    ? value.some((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
    : typeof value === 'object' && value !== null && (prefix === '' || Object.keys(value).length > 0);
  if (!isWalked) return [[prefix, value]];
  return Object.entries(value as object).flatMap(([key, item]) =>
    flatten(prefix === '' ? key : `${prefix}.${key}`, item),
  );
}

function withoutVectors({ id: _id, attributes, ...span }: RestSpan) {
  const kept = Object.entries(attributes).filter(
    ([key]) => !/^embedding\.embeddings\.\d+\.embedding\.vector$/.test(key),
  );
  return { ...span, attributes: Object.fromEntries(kept) };
}
