import { AppError } from '#base/errors';
import { parseGlobalId } from '#base/global-id';
import { JsonNumber, tryParseJson } from '#base/json';
import type { Caller, ForCaller } from '#domain/caller';
import { SPAN_KINDS, SPAN_STATUS_CODES } from '#domain/span';
import { assertForward, UnprocessableError } from '#api/rest/unprocessable';
import type { AttributeEquals, Original, OriginalFormat, SpanFilter, SpanStore } from '#store/spans/port';
import { toOtelId } from '../traces/operations.ts';

/** What a client narrows spans by, in its own spelling; alternatives in a list, except attributes, which all must hold. */
export interface SpanCriteria {
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  readonly trace_id?: readonly string[] | undefined;
  readonly span_id?: readonly string[] | undefined;
  /** The text `null` stands for spans without a parent. */
  readonly parent_id?: string | undefined;
  readonly name?: readonly string[] | undefined;
  readonly span_kind?: readonly string[] | undefined;
  readonly status_code?: readonly string[] | undefined;
  readonly attribute?: readonly string[] | undefined;
}

/** The filter that a client describes. @throws UnprocessableError naming the criterion that makes no sense */
export function toSpanFilter(projectRowId: number, criteria: SpanCriteria): SpanFilter {
  assertForward(criteria.start_time, criteria.end_time);
  return {
    projectRowId,
    startTimeUs: criteria.start_time,
    endTimeUs: criteria.end_time,
    traceIds: criteria.trace_id,
    spanIds: criteria.span_id,
    parentSpanId: criteria.parent_id === 'null' ? null : criteria.parent_id,
    names: criteria.name,
    kinds: criteria.span_kind?.map((text) => parseWord('span_kind', SPAN_KINDS, text)),
    statusCodes: criteria.status_code?.map((text) => parseWord('status_code', SPAN_STATUS_CODES, text)),
    attributes: criteria.attribute?.map(parseAttributeEquals),
  };
}

/**
 * Reads `key:value`; the value may hold further colons. It is typed as the JSON that it is, and text where it is none.
 * @throws UnprocessableError
 */
export function parseAttributeEquals(text: string): AttributeEquals {
  const colon = text.indexOf(':');
  const path = text.slice(0, colon);
  const given = text.slice(colon + 1);
  if (colon === -1) throw new UnprocessableError(`Invalid attribute filter ${text}: the expected format is key:value.`);
  if (path === '') throw new UnprocessableError(`Invalid attribute filter ${text}: the key must not be empty.`);
  if (given === '') throw new UnprocessableError(`Invalid attribute filter ${text}: the value must not be empty.`);
  const parsed = tryParseJson(given);
  if (typeof parsed === 'object' && !(parsed instanceof JsonNumber)) {
    throw new UnprocessableError(
      `Invalid attribute filter ${text}: the value must be a text, a number or a boolean, not a list, an object or null.`,
    );
  }
  return { path, json: parsed === undefined ? JSON.stringify(given) : given };
}

/** What arrived of a span, by its id or OpenTelemetry id. @throws AppError `not_found` */
export async function getSpanOriginal(
  caller: Caller,
  spans: ForCaller<SpanStore>,
  identifier: string,
  format: OriginalFormat,
): Promise<Original> {
  const rowId = parseGlobalId('Span', identifier);
  const original = await spans(caller).readSpanOriginal(
    rowId === undefined ? { otelId: toOtelId('span', identifier) } : { rowId },
    format,
  );
  if (original === undefined) throw new AppError('not_found', `There is no span ${identifier}.`);
  return original;
}

function parseWord<Word extends string>(parameter: string, words: readonly Word[], text: string): Word {
  const word = words.find((candidate) => candidate === text.toUpperCase());
  if (word !== undefined) return word;
  throw new UnprocessableError(`Invalid ${parameter} ${text}: it must be one of ${words.join(', ')}.`);
}
