/**
 * Typed ids as clients know them: base64 of `Type:rowid`, standard alphabet with padding.
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

/** Formats a typed id. */
export function formatGlobalId(type: GlobalIdType, rowId: number): string {
  return Buffer.from(`${type}:${rowId}`, 'latin1').toString('base64');
}

/**
 * The row id that the text names, when it is an id of that type; otherwise `undefined`, and the caller may read the
 * text as a name. Row ids are positive, but for that of the default retention policy, and below 2^53.
 */
export function parseGlobalId(type: GlobalIdType, text: string): number | undefined {
  if (text.length > MAX_ID_LENGTH || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const match = /^([A-Za-z]+):(\d{1,16})$/.exec(Buffer.from(text, 'base64').toString('latin1'));
  if (match === null || match[1] !== type) return undefined;
  const rowId = Number(match[2]);
  return Number.isSafeInteger(rowId) && rowId >= (LEAST[type] ?? 1) ? rowId : undefined;
}

const MAX_ID_LENGTH = 128;

const LEAST: Readonly<Record<string, number>> = { ProjectTraceRetentionPolicy: 0 };
