/**
 * Metrics, of which nothing is kept but how many data points came.
 * @see https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto
 */
import { isJsonObject, type JsonObject, type JsonValue } from '#base/json';
import { AppError } from '#base/errors';
import { parseJsonBody } from './json/parse-json-body.ts';
import { ProtobufReader } from './protobuf/reader.ts';
import type { OtlpFormat } from './response.ts';

/**
 * Counts the data points of an `ExportMetricsServiceRequest`.
 * @throws AppError `invalid_argument` where the body is none, `too_large` where it would take far more memory than its bytes
 */
export function countDataPoints(body: Uint8Array, format: OtlpFormat): number {
  return format === 'json' ? countInJson(parseJsonBody(body)) : countInProtobuf(body);
}

/** The fields that lead to data points: `resource_metrics`, `scope_metrics`, `metrics`, the kinds of data, `data_points`. */
const PATH: readonly ReadonlySet<number>[] = [[1], [2], [2], [5, 7, 9, 10, 11], [1]].map((numbers) => new Set(numbers));

function countInProtobuf(body: Uint8Array): number {
  const reader = new ProtobufReader(body);
  const count = (depth: number): number => {
    let points = 0;
    while (reader.position < reader.end) {
      const tag = reader.readTag();
      const isOnPath = (tag & 7) === 2 && PATH[depth]?.has(tag >>> 3) === true;
      if (isOnPath && depth < PATH.length - 1) {
        const outerEnd = reader.enter();
        points += count(depth + 1);
        reader.leave(outerEnd);
      } else {
        reader.skip(tag);
        if (isOnPath) points++;
      }
    }
    return points;
  };
  return count(0);
}

const KINDS = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const;

function countInJson(request: JsonObject): number {
  let points = 0;
  for (const resource of objectsOf(request['resourceMetrics'])) {
    for (const scope of objectsOf(resource['scopeMetrics'])) {
      for (const metric of objectsOf(scope['metrics'])) {
        for (const kind of KINDS) {
          const data = metric[kind];
          if (isJsonObject(data)) points += objectsOf(data['dataPoints']).length;
        }
      }
    }
  }
  return points;
}

/** @throws AppError `invalid_argument` */
function objectsOf(list: JsonValue | undefined): readonly JsonObject[] {
  if (list === undefined || list === null) return [];
  if (Array.isArray(list) && list.every(isJsonObject)) return list;
  throw new AppError(
    'invalid_argument',
    'The body is not an ExportMetricsServiceRequest: a list of objects is expected.',
  );
}
