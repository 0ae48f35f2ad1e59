/** The operations of OTLP in the OpenAPI document. They are not in the route table: OTLP has encodings and errors of its own. */
import type { OpenApiObject } from '#api/rest/openapi';
import { type FieldSchema, fieldsOf, type MessageName, nameOfItem } from '#otlp/schema';
import type { Signal } from '#otlp/signal';
import { ingestionPolicy } from './policy.ts';

/** Their paths. */
export const EXPORT_PATHS: Readonly<Record<string, Readonly<Record<string, OpenApiObject>>>> = {
  '/v1/traces': {
    post: describeExport({
      signal: 'traces',
      operationId: 'exportTraces',
      summary: 'Send traces over OTLP',
      what: 'ExportTraceServiceRequest',
      done: 'The spans are on disk. `partialSuccess` counts those that could not be stored, with the reason.',
    }),
  },
  '/v1/logs': {
    post: describeExport({
      signal: 'logs',
      operationId: 'exportLogs',
      summary: 'Send log records over OTLP',
      what: 'ExportLogsServiceRequest',
      done: 'The log records are on disk, apart from plain ones without a trace. `partialSuccess` counts those that could not be stored, with the reason.',
    }),
  },
  '/v1/metrics': {
    post: describeExport({
      signal: 'metrics',
      operationId: 'exportMetrics',
      summary: 'Send metrics over OTLP, which are counted but not stored',
      what: 'ExportMetricsServiceRequest',
      done: 'The data points were counted.',
    }),
  },
};

/** Their methods and paths. */
export const EXPORT_ROUTES = Object.keys(EXPORT_PATHS).map((path) => ({ method: 'POST', path }) as const);

/** The schemas of their bodies as OTLP JSON, and of their refusals. */
export function exportSchemas(): OpenApiObject {
  const schemas: OpenApiObject = {};
  addMessage('ExportTraceServiceRequest', schemas);
  addMessage('ExportLogsServiceRequest', schemas);
  const data = objectWith({ dataPoints: LIST_OF_OBJECTS });
  const kinds = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'];
  const metric = objectWith(
    Object.fromEntries(kinds.map((kind) => [kind, { anyOf: [data, { not: { type: 'object' } }] }])),
  );
  const scope = objectWith({ metrics: orNull(listOf(metric)) });
  const resource = objectWith({ scopeMetrics: orNull(listOf(scope)) });
  schemas['ExportMetricsServiceRequest'] = objectWith({ resourceMetrics: orNull(listOf(resource)) });
  schemas['RpcStatus'] = {
    type: 'object',
    properties: { code: { type: 'integer' }, message: { type: 'string' }, details: { type: 'array' } },
    required: ['code', 'message'],
  };
  return schemas;
}

/** @see https://opentelemetry.io/docs/specs/otlp/#otlphttp */
function describeExport(operation: {
  signal: Signal;
  operationId: string;
  summary: string;
  what: string;
  done: string;
}): OpenApiObject {
  const { signal, operationId, summary, what, done } = operation;
  const both = (schema: OpenApiObject) => ({
    'application/x-protobuf': {},
    'application/json': { schema },
  });
  const refusal = (description: string, more: OpenApiObject = {}) => ({
    description,
    content: both({ $ref: '#/components/schemas/RpcStatus' }),
    ...more,
  });
  const retry = {
    headers: { 'retry-after': { description: 'Seconds until the next attempt.', schema: { type: 'string' } } },
  };
  return {
    operationId,
    summary,
    description: `An \`${what}\`, as protobuf or as OTLP JSON, in any of the content encodings gzip, deflate, br and zstd. See https://opentelemetry.io/docs/specs/otlp/#otlphttp.`,
    tags: ['traces'],
    'x-access': ingestionPolicy[signal].access,
    parameters: [
      {
        name: 'x-project-name',
        in: 'header',
        required: false,
        description: 'The project for all of the data; overrides the resource attribute `openinference.project.name`.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: both({ $ref: `#/components/schemas/${what}` }) },
    responses: {
      200: { description: done, content: both({ type: 'object' }) },
      400: refusal('The body does not match its content type; a `google.rpc.Status` says where.'),
      401: refusal('Credentials are missing, wrong or expired.'),
      403: refusal('The caller may not send telemetry.'),
      404: refusal('The caller may not send to this project.'),
      408: refusal('The request did not arrive in time.'),
      413: refusal('The body is larger than the limit; send less in one request.'),
      415: refusal('An unknown content type or encoding.'),
      429: refusal('Too many requests are waiting; try again after `Retry-After`.', retry),
      431: { $ref: '#/components/responses/LongHeaders' },
      500: refusal('The server failed.'),
      503: refusal('No room at the moment; try again after `Retry-After`.', retry),
    },
  };
}

function addMessage(name: MessageName, schemas: OpenApiObject): OpenApiObject {
  const key = name.startsWith('Export') ? name : `Otlp${name}`;
  const reference = { $ref: `#/components/schemas/${key}` };
  if (schemas[key] !== undefined) return reference;
  const properties: OpenApiObject = {};
  schemas[key] = { type: 'object', properties };
  for (const field of fieldsOf(name)) {
    const schema = describeField(field, schemas);
    // The transcoder takes `null` for a message without fields.
    const item = field.kind === 'message' ? orNull(schema) : schema;
    properties[field.name] = orNull(field.isRepeated ? listOf(item) : schema);
  }
  return reference;
}

function describeField(field: FieldSchema, schemas: OpenApiObject): OpenApiObject {
  switch (field.kind) {
    case 'message': {
      const item = nameOfItem(field.message);
      if (item === undefined) return addMessage(field.message, schemas);
      return { description: `A ${item}. One that is malformed is refused alone: \`partialSuccess\` says so.` };
    }
    case 'enum':
      return { anyOf: [integer(-(2 ** 31), 2 ** 31 - 1), { type: 'string', enum: Object.keys(field.values) }] };
    case 'string':
    case 'id':
      return { type: 'string' };
    case 'bytes':
      return { type: 'string', pattern: '^[A-Za-z0-9+/_-]*={0,2}$' };
    case 'bool':
      return { type: 'boolean' };
    case 'double':
      return {
        anyOf: [{ type: 'number' }, { type: 'string', pattern: '^(?:-?[0-9]+(?:\\.[0-9]+)?|NaN|-?Infinity)$' }],
      };
    case 'int64':
      return { anyOf: [{ type: 'integer' }, { type: 'string', pattern: '^-?[0-9]{1,18}$' }] };
    case 'fixed64':
      return { anyOf: [integer(0, Number.MAX_SAFE_INTEGER), { type: 'string', pattern: '^[0-9]{1,19}$' }] };
    case 'uint32':
    case 'fixed32':
      return integer(0, 2 ** 32 - 1);
  }
}

function integer(minimum: number, maximum: number): OpenApiObject {
  return { type: 'integer', minimum, maximum };
}

function objectWith(properties: OpenApiObject): OpenApiObject {
  return { type: 'object', properties };
}

/** In JSON, `null` is a field that is absent. */
function orNull(schema: OpenApiObject): OpenApiObject {
  return { anyOf: [schema, { type: 'null' }] };
}

function listOf<Item extends OpenApiObject>(items: Item): { type: 'array'; items: Item } {
  return { type: 'array', items };
}

const LIST_OF_OBJECTS = { type: ['array', 'null'], items: { type: 'object' } };
