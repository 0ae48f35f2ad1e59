/** Where stored spans and records come from, as far as they are compared. */
import { serviceNameOf } from '#normalize/normalize-logs';
import type { OtelResource } from '#otlp/messages';
import { ATTR_SERVICE_INSTANCE_ID } from '#semconv/otel';
import { sourceOf } from '../source.ts';
import type { RecordScope } from './scope.ts';

/** What a span or a record was produced by. */
export interface Produced {
  readonly otelResourceId: number;
  readonly instrumentationScopeId: number;
}

/** Where a span or a record comes from, as far as it is compared. */
export interface SourceOfSpan {
  /** Empty where it is not told: then it is no service's. */
  readonly service: string;
  /** Empty where it is not told. */
  readonly instance: string;
  readonly scopeName: string;
  readonly source: string;
}

/** The sources, in the order of what is asked for. Index: primary keys. */
export async function readSources(
  { db, dialect, envelopes }: Pick<RecordScope, 'db' | 'dialect' | 'envelopes'>,
  produced: readonly Produced[],
): Promise<readonly SourceOfSpan[]> {
  const resourceIds = produced.map((one) => one.otelResourceId);
  const scopeIds = produced.map((one) => one.instrumentationScopeId);
  const resources = await envelopes.resources(db, dialect, resourceIds);
  const scopes = await envelopes.scopes(db, dialect, scopeIds);
  return produced.map(({ otelResourceId, instrumentationScopeId }) => {
    const resource = resources.get(otelResourceId);
    const service = resource === undefined ? '' : serviceNameOf(resource);
    const scopeName = scopes.get(instrumentationScopeId)?.name ?? '';
    return { service, instance: instanceOf(resource), scopeName, source: sourceOf(service, scopeName) };
  });
}

function instanceOf(resource: OtelResource | undefined): string {
  const instance = resource?.attributes.findLast(({ key }) => key === ATTR_SERVICE_INSTANCE_ID)?.value;
  return typeof instance === 'string' ? instance : '';
}
