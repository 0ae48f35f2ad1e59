/**
 * OTLP JSON read by the oracle, whose JSON is protobuf's own. What OTLP and docs/ingestion.md say beyond that is put
 * into its words first: ids in hex or as they are, `null` for what is absent, integers that were doubles.
 */
import { decodeWithOracle, encodePlainJsonWithOracle } from './otlp.ts';
import { oracleToPlain } from './otlp-plain.ts';

/** A span that is none; why is for the decoder to say. */
const BROKEN_SPAN = { malformed: true } as const;

/** The request that a JSON value means, in plain objects; `undefined` where it means none. */
export function readJsonRequest(json: unknown): unknown {
  const spans: unknown[] = [];
  try {
    const shell = adapt(json, (span) => {
      spans.push(readSpan(span));
      return {};
    });
    const bytes = encodePlainJsonWithOracle('ExportTraceServiceRequest', shell);
    const plain = oracleToPlain(decodeWithOracle('ExportTraceServiceRequest', bytes)) as PlainRequest;
    for (const { scopeSpans } of plain.resourceSpans) {
      for (const scope of scopeSpans) scope.spans = scope.spans.map(() => spans.shift());
    }
    return plain;
  } catch {
    return undefined;
  }
}

interface PlainRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { spans: unknown[] }[] }[];
}

const ID_NAMES: ReadonlySet<string> = new Set(['traceId', 'spanId', 'parentSpanId']);

function readSpan(json: unknown): unknown {
  const request = { resourceSpans: [{ scopeSpans: [{ spans: [json] }] }] };
  try {
    const bytes = encodePlainJsonWithOracle('ExportTraceServiceRequest', request);
    const plain = oracleToPlain(decodeWithOracle('ExportTraceServiceRequest', bytes)) as PlainRequest;
    return plain.resourceSpans[0]?.scopeSpans[0]?.spans[0];
  } catch {
    return BROKEN_SPAN;
  }
}

function adapt(value: unknown, takeSpan: (span: unknown) => unknown, path = ''): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) {
    const elements = value.map((element) => adapt(element ?? {}, takeSpan, `${path}[]`));
    return path === '.resourceSpans[].scopeSpans[].spans' ? elements.map(takeSpan) : elements;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    // Names as in the `.proto` files, which protobuf's JSON takes too, are not OTLP's.
    if (member === null || name.includes('_')) return [];
    return [adaptMember(name, adapt(member, takeSpan, `${path}.${name}`))];
  });
  return keepLastValue(Object.fromEntries(members));
}

/** An enum may be decimal text; no other text but the names that it has. */
const ENUM_NAMES: Readonly<Record<string, RegExp>> = {
  kind: /^SPAN_KIND_(UNSPECIFIED|INTERNAL|SERVER|CLIENT|PRODUCER|CONSUMER)$/,
  code: /^STATUS_CODE_(UNSET|OK|ERROR)$/,
};
const INTEGER_NAMES = /^(startTimeUnixNano|endTimeUnixNano|timeUnixNano|intValue|kind|code|flags|dropped\w+Count)$/;
const DECIMAL = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const BASE64 = /^[\w+/-]*={0,2}$/;
const NOTHING_HOLDS = {};

function adaptMember(name: string, value: unknown): [string, unknown] {
  if (ID_NAMES.has(name) && typeof value === 'string') {
    const isHex = value.length % 2 === 0 && /^[0-9a-f]*$/i.test(value);
    return [name, Buffer.from(value, isHex ? 'hex' : 'utf8').toString('base64')];
  }
  if (name === 'bytesValue' && typeof value === 'string') return [name, BASE64.test(value) ? value : NOTHING_HOLDS];
  if (!INTEGER_NAMES.test(name)) return [name, value];
  const isDecimal = typeof value === 'string' && DECIMAL.test(value) && Number.isInteger(Number(value));
  const isInteger = isDecimal || Number.isInteger(value);
  const integer = isInteger ? BigInt(/^-?\d+$/.test(String(value)) ? String(value) : Number(value)) : undefined;
  if (name === 'intValue' && integer !== undefined && BigInt.asIntN(64, integer) !== integer) {
    return ['doubleValue', Number(integer)];
  }
  const names = ENUM_NAMES[name];
  if (integer !== undefined) return [name, names === undefined ? String(integer) : Number(integer)];
  // The oracle takes some texts for numbers that are none.
  return [name, typeof value === 'string' && names?.test(value) !== true ? NOTHING_HOLDS : value];
}

/** In the order of their numbers. */
const VALUE_NAMES = ['string', 'bool', 'int', 'double', 'array', 'kvlist', 'bytes'].map((type) => `${type}Value`);

/** Of several values in one `AnyValue` the last counts, where each of them is one. */
function keepLastValue(members: Record<string, unknown>): Record<string, unknown> {
  const names = VALUE_NAMES.filter((name) => name in members);
  const broken = names.find((name) => names.length > 1 && !isValue({ [name]: members[name] }));
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => !names.includes(name) || name === (broken ?? names.at(-1))),
  );
}

function isValue(value: object): boolean {
  try {
    encodePlainJsonWithOracle('AnyValue', value);
    return true;
  } catch {
    return false;
  }
}
