/**
 * Builders of OTLP trace messages in their JSON form: hexadecimal ids, 64-bit numbers as decimal text, integer enums.
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */

/** A value before encoding: a whole `number` becomes an int, any other a double, `undefined` is left out. */
export type AttributeValue = string | boolean | number | Double | readonly AttributeValue[] | AttributeMap;

export interface AttributeMap {
  readonly [key: string]: AttributeValue | undefined;
}

/** A number that is sent as a double even when it is whole, such as a score of 1. */
export class Double {
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } }
  | { readonly kvlistValue: { readonly values: readonly OtlpKeyValue[] } };

export interface OtlpKeyValue {
  readonly key: string;
  readonly value: OtlpValue;
}

export interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly OtlpKeyValue[];
}

export interface OtlpLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: readonly OtlpKeyValue[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpKeyValue[];
  readonly events: readonly OtlpEvent[];
  readonly links: readonly OtlpLink[];
  readonly status: { readonly code: number; readonly message?: string };
  readonly flags: number;
}

/** The process that sends. Spans of one object are sent under one resource. */
export interface Resource {
  readonly attributes: AttributeMap;
}

/** The library that records. Spans of one object are sent under one scope. */
export interface Scope {
  readonly name: string;
  readonly version: string;
}

export interface RecordedSpan {
  readonly resource: Resource;
  readonly scope: Scope;
  readonly span: OtlpSpan;
}

export interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpKeyValue[] };
    readonly scopeSpans: readonly { readonly scope: Scope; readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export function encodeAttributes(attributes: AttributeMap): OtlpKeyValue[] {
  const encoded: OtlpKeyValue[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) encoded.push({ key, value: encodeValue(value) });
  }
  return encoded;
}

function encodeValue(value: AttributeValue): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (value instanceof Double) return { doubleValue: value.value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if (isList(value)) return { arrayValue: { values: value.map(encodeValue) } };
  return { kvlistValue: { values: encodeAttributes(value) } };
}

function isList(value: readonly AttributeValue[] | AttributeMap): value is readonly AttributeValue[] {
  return Array.isArray(value);
}

/** One request with the spans under their resources and scopes, earliest end first as a batching exporter sends them. */
export function exportRequest(spans: readonly RecordedSpan[]): ExportRequest {
  const byResource = new Map<Resource, Map<Scope, OtlpSpan[]>>();
  for (const { resource, scope, span } of [...spans].sort(byEnd)) {
    const byScope = byResource.get(resource) ?? new Map<Scope, OtlpSpan[]>();
    byResource.set(resource, byScope);
    const list = byScope.get(scope) ?? [];
    byScope.set(scope, list);
    list.push(span);
  }
  return {
    resourceSpans: Array.from(byResource, ([resource, byScope]) => ({
      resource: { attributes: encodeAttributes(resource.attributes) },
      scopeSpans: Array.from(byScope, ([scope, list]) => ({ scope, spans: list })),
    })),
  };
}

function byEnd(left: RecordedSpan, right: RecordedSpan): number {
  return Number(BigInt(left.span.endTimeUnixNano) - BigInt(right.span.endTimeUnixNano));
}
