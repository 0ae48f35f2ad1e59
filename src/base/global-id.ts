/**
 * Typed ids as clients know them: base64 of `Type:rowid`, standard alphabet with padding. Types whose things are known by a name have
 * that in place of the row id.
 * Clients recognise them by exactly this form, so it never changes.
 */

/** What has an id, by the type name in it. These are of telemetry; a resource declares its own beside its slice. */
export interface GlobalIdTypes {
  Project: true;
  Trace: true;
  Span: true;
  ProjectSession: true;
  LogRecord: true;
}

/** The type names that ids can have. */
export type GlobalIdType = keyof GlobalIdTypes;

/** Formats a typed id. A name is ASCII. */
export function formatGlobalId(type: GlobalIdType, rowId: number | string): string {
  return Buffer.from(`${type}:${rowId}`, 'latin1').toString('base64');
}

/**
 * The row id that the text names, when it is an id of that type; otherwise `undefined`, and the caller may read the
 * text as a name. Row ids are positive, but for that of the default retention policy, and below 2^53.
 */
export function parseGlobalId(type: GlobalIdType, text: string): number | undefined {
  const id = splitGlobalId(text);
  if (id?.type !== type || !/^\d{1,16}$/.test(id.payload)) return undefined;
  const rowId = Number(id.payload);
  return Number.isSafeInteger(rowId) && rowId >= (LEAST[type] ?? 1) ? rowId : undefined;
}

/** The type and the payload of any id, whether anything has it or not; `undefined` where the text has not the form of one. */
export function splitGlobalId(text: string): { readonly type: string; readonly payload: string } | undefined {
  if (text.length > MAX_ID_LENGTH || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const [, type, payload] = /^([A-Za-z0-9]+):(.+)$/.exec(Buffer.from(text, 'base64').toString('latin1')) ?? [];
  return type === undefined || payload === undefined ? undefined : { type, payload };
}

/** Enough for the longest name that an id is made of. */
const MAX_ID_LENGTH = 384;

const LEAST: Readonly<Record<string, number>> = { ProjectTraceRetentionPolicy: 0 };
