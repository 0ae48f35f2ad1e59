/**
 * Unmodified exporters from npm send, the unmodified Phoenix client reads: every attribute must come back with its value
 * and its type.
 */
import { Metadata } from '@grpc/grpc-js';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { createClient } from '@arizeai/phoenix-client';
import { getSpans } from '@arizeai/phoenix-client/spans';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAskingServer } from '../harness/asking-server.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';

type Headers = Readonly<Record<string, string>>;

/** By name; given the headers, which gRPC calls metadata. */
const EXPORTERS: readonly [string, (server: TestServer, headers: Headers) => SpanExporter][] = [
  ['protobuf over HTTP', ({ url }, headers) => new ProtobufExporter({ url: `${url}/v1/traces`, headers })],
  ['JSON over HTTP', ({ url }, headers) => new JsonExporter({ url: `${url}/v1/traces`, headers })],
  [
    'JSON over HTTP with gzip',
    ({ url }, headers) =>
      new JsonExporter({ url: `${url}/v1/traces`, headers, compression: CompressionAlgorithm.GZIP }),
  ],
  [
    'gRPC',
    ({ grpcAddress }, headers) => new GrpcExporter({ url: `http://${grpcAddress}`, metadata: metadataOf(headers) }),
  ],
];

function metadataOf(headers: Headers): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

let server: TestServer;
let headers: Headers;

describe.each([
  ['nobody is asked for credentials', async () => ({ started: await startTestServer(), shown: {} })],
  [
    'a key is asked for',
    async () => {
      const started = await startAskingServer();
      return { started, shown: { authorization: `Bearer ${started.key}` } };
    },
  ],
])('where %s', (_where, start) => {
  beforeAll(async () => {
    const { started, shown } = await start();
    server = started;
    headers = shown;
  });

  afterAll(() => server[Symbol.asyncDispose]());

  describe.each(EXPORTERS)('spans exported as %s', (name, createExporter) => {
    it('are read back by the Phoenix client with every attribute and its type', async () => {
      const project = `exported as ${name}`;
      await exportSpans(createExporter(server, headers), project);
      const client = createClient({ options: { baseUrl: server.url, headers } });
      const { spans } = await getSpans({ client, project: { projectName: project } });
      const [tool, agent] = [
        spans.find((span) => span.name === 'find parcel'),
        spans.find((span) => span.name === 'agent'),
      ];
      expect(spans).toHaveLength(2);
      expect(tool?.attributes).toEqual({
        text: 'ünïcode 😀',
        whole: 42,
        negative: -7,
        fraction: 0.25,
        yes: true,
        no: false,
        'list.texts': ['a', 'b'],
        'list.numbers': [1, 2, 3],
        'llm.invocation_parameters': '{"temperature": 0.0}',
        'metadata.tier': 'premium',
        'input.value': 'where is parcel 4711?',
      });
      expect(tool).toMatchObject({
        span_kind: 'TOOL',
        status_code: 'ERROR',
        status_message: 'no such parcel',
        parent_id: agent?.context.span_id,
        start_time: '2026-01-02T03:04:05.678000+00:00',
        end_time: '2026-01-02T03:04:06+00:00',
      });
      expect(tool?.events).toMatchObject([
        {
          name: 'exception',
          attributes: { 'exception.type': 'Error', 'exception.message': 'no such parcel' },
        },
      ]);
      expect(agent?.parent_id ?? null).toBeNull();
      expect(agent?.context.trace_id).toBe(tool?.context.trace_id);
    });
  });

  describe("the Phoenix client's filters", () => {
    it('select what they say', async () => {
      const project = { projectName: 'filtered' };
      await exportSpans(new ProtobufExporter({ url: `${server.url}/v1/traces`, headers }), 'filtered');
      const client = createClient({ options: { baseUrl: server.url, headers } });
      const names = async (filter: object) => {
        const { spans } = await getSpans({ client, project, ...filter });
        return spans.map((span) => span.name);
      };
      expect(await names({ spanKind: 'TOOL' })).toEqual(['find parcel']);
      expect(await names({ statusCode: ['ERROR', 'OK'] })).toEqual(['find parcel']);
      expect(await names({ parentId: null })).toEqual(['agent']);
      expect(await names({ name: ['agent', 'nobody'] })).toEqual(['agent']);
      expect(await names({ attributes: { whole: 42, yes: true, text: 'ünïcode 😀' } })).toEqual(['find parcel']);
      expect(await names({ attributes: { whole: '42' } })).toEqual([]);
      expect(await names({ attributes: { 'metadata.tier': 'premium' } })).toEqual(['find parcel']);
      expect(await names({ startTime: '2026-01-02T03:04:05.678Z' })).toEqual(['agent', 'find parcel']);
      expect(await names({ endTime: '2026-01-02T03:04:05.678Z' })).toEqual([]);
    });
  });
});

describe('without a key, where one is asked for', () => {
  beforeAll(async () => {
    server = await startAskingServer();
  });

  afterAll(() => server[Symbol.asyncDispose]());

  it.each(EXPORTERS)('an exporter of %s is told that it is not known', async (name, createExporter) => {
    for (const shown of [{}, { authorization: 'Bearer nonsense' }]) {
      const exporter = createExporter(server, shown);
      const error = await failureOf(exporter);
      expect(error).toMatchObject({ code: name === 'gRPC' ? 16 : 401 });
      await exporter.shutdown();
    }
  });

  it('the Phoenix client is told the same', async () => {
    const client = createClient({ options: { baseUrl: server.url } });
    await expect(getSpans({ client, project: { projectName: 'default' } })).rejects.toThrow(/401/);
  });
});

/** With what an exporter gives up on a span. */
async function failureOf(exporter: SpanExporter): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  const processor = new SimpleSpanProcessor({
    export: (spans) => exporter.export(spans, ({ error }) => resolve(error)),
    shutdown: () => exporter.shutdown(),
  });
  const provider = new BasicTracerProvider({ spanProcessors: [processor] });
  provider.getTracer('test').startSpan('refused').end();
  return promise;
}

async function exportSpans(exporter: SpanExporter, project: string): Promise<void> {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'test', 'openinference.project.name': project }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  record(provider.getTracer('test', '1.0'));
  await provider.forceFlush();
  await provider.shutdown();
}

function record(tracer: Tracer): void {
  const at = (text: string) => new Date(`2026-01-02T03:04:${text}Z`);
  const agent = tracer.startSpan('agent', {
    startTime: at('05.678'),
    attributes: { 'openinference.span.kind': 'AGENT' },
  });
  const tool = tracer.startSpan(
    'find parcel',
    {
      kind: SpanKind.CLIENT,
      startTime: at('05.678'),
      attributes: {
        'openinference.span.kind': 'TOOL',
        text: 'ünïcode 😀',
        whole: 42,
        negative: -7,
        fraction: 0.25,
        yes: true,
        no: false,
        'list.texts': ['a', 'b'],
        'list.numbers': [1, 2, 3],
        'llm.invocation_parameters': '{"temperature": 0.0}',
        metadata: '{"tier":"premium"}',
        'input.value': 'where is parcel 4711?',
      },
    },
    trace.setSpan(ROOT_CONTEXT, agent),
  );
  tool.recordException(new Error('no such parcel'), at('05.9'));
  tool.setStatus({ code: SpanStatusCode.ERROR, message: 'no such parcel' });
  tool.end(at('06.000'));
  agent.end(at('07.000'));
}
